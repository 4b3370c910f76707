// Whether a recorded init is still the process of that number.
#include "runtime/launch/opened.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "runtime/kernel/process.h"
#include "runtime/state/process_status.h"

namespace langsbx::runtime {
namespace {

state::Record of(pid_t pid, std::uint64_t start_time) {
  state::Record record;
  record.init_pid = pid;
  record.init_start_time = start_time;
  return record;
}

TEST(OpenInit, IsThatProcessOrNone) {
  const auto started = state::process_start_time(::getpid()).release_value();
  auto init = open_init(of(::getpid(), started));
  ASSERT_TRUE(init.ok()) << init.error().to_string();
  EXPECT_TRUE(still_lives(*init));
  for (const auto& other : {of(::getpid(), started + 1), of(0, started), of(-1, started)}) {
    const auto refused = open_init(other);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::kWrongState);
    EXPECT_EQ(refused.error().to_string(), "container not running: no such process");
  }
}

TEST(OpenInit, KnowsWhenItHasEnded) {
  auto child = fork_child({}, [] { return ::pause(); }).release_value();
  const auto started = state::process_start_time(child.pid()).release_value();
  const auto init = open_init(of(child.pid(), started)).release_value();
  EXPECT_TRUE(still_lives(init));
  ASSERT_TRUE(signal_pidfd(child.pidfd(), SIGKILL).ok());
  ASSERT_TRUE(child.wait().ok());
  EXPECT_FALSE(still_lives(init));
  EXPECT_FALSE(open_init(of(child.pid(), started)).ok());
}

}  // namespace
}  // namespace langsbx::runtime
