// Who is signalled when numbers change hands.
#include "runtime/cgroup/signal_members.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "runtime/kernel/process.h"

namespace langsbx::cgroup {
namespace {

using Pids = std::vector<pid_t>;

ChildProcess sleeper() {
  auto child = fork_child({}, [] {
    for (;;) ::pause();
    return 0;
  });
  return child.release_value();
}

TEST(SignalMembers, EveryMemberIsSignalled) {
  // More than are held at once.
  std::vector<ChildProcess> children;
  Pids pids;
  for (int i = 0; i < 70; ++i) {
    children.push_back(sleeper());
    pids.push_back(children.back().pid());
  }
  const auto signalled = signal_members([&] { return Result<Pids>(pids); }, SIGTERM);
  ASSERT_TRUE(signalled.ok());
  EXPECT_EQ(*signalled, 70U);
  for (auto& child : children) EXPECT_EQ(child.wait().value(), 128 + SIGTERM);
}

// The number was a member's when the list was read first, and is another process's now.
TEST(SignalMembers, WhoIsNoMemberAnyMoreIsLeftAlone) {
  auto member = sleeper();
  auto stranger = sleeper();
  int round = 0;
  const auto list = [&]() -> Result<Pids> {
    return ++round == 1 ? Pids{member.pid(), stranger.pid()} : Pids{member.pid()};
  };
  ASSERT_TRUE(signal_members(list, SIGTERM).ok());
  EXPECT_EQ(member.wait().value(), 128 + SIGTERM);
  ASSERT_EQ(::kill(stranger.pid(), SIGINT), 0);
  EXPECT_EQ(stranger.wait().value(), 128 + SIGINT);
}

TEST(SignalMembers, WhoHasEndedIsNoError) {
  auto child = sleeper();
  const pid_t pid = child.pid();
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  ASSERT_TRUE(child.wait().ok());
  EXPECT_TRUE(signal_members([&] { return Result<Pids>(Pids{pid}); }, SIGTERM).ok());
}

TEST(SignalMembers, AListThatCannotBeReadIsAnError) {
  const auto list = [] { return Result<Pids>(system_error("read", EIO)); };
  EXPECT_EQ(signal_members(list, SIGTERM).error().errno_value, EIO);
}

}  // namespace
}  // namespace langsbx::cgroup
