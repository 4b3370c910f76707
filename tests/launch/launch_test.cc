// A launch from the clone on, as far as it goes without privileges: init waits, is told, fails.
#include "runtime/launch/launch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>

#include "runtime/kernel/file.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/start_program.h"

namespace langsbx::runtime {
namespace {

// Init can't get further than this: what it is to join is no namespace.
class Launch : public testing::Test {
 protected:
  Launch() {
    plan_.namespaces.joins.push_back(
        {oci::NamespaceType::kNetwork, open_file("/dev/null", O_RDONLY).release_value()});
    host_.euid = ::geteuid();
    inputs_.plan = &plan_;
    inputs_.host = &host_;
    inputs_.guard = &guard_;
    inputs_.cgroup_host = &cgroup_host_;
    inputs_.cgroup = &cgroup_;
  }
  plan::LaunchPlan plan_;
  plan::HostFacts host_;
  guard::GuardPlan guard_ = guard::Nothing{"a test"};
  cgroup::Host cgroup_host_;
  cgroup::Cgroup cgroup_;  // none
  LaunchInputs inputs_;
};

bool is_gone(pid_t pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

TEST_F(Launch, WhatFailsInInitIsTheErrorOfTheParent) {
  auto launched = clone_init(inputs_);
  ASSERT_TRUE(launched.ok()) << launched.error().to_string();
  ASSERT_TRUE(equip_init(inputs_, *launched).ok());
  ASSERT_TRUE(let_proceed(inputs_, *launched).ok());
  const auto ready = await_ready(inputs_, *launched);
  ASSERT_FALSE(ready.ok());
  EXPECT_EQ(ready.error().errno_value, EINVAL) << ready.error().to_string();
  EXPECT_NE(ready.error().to_string().find("setns"), std::string::npos)
      << ready.error().to_string();
}

TEST_F(Launch, InitWaitsUntilItIsToldToProceed) {
  auto launched = clone_init(inputs_);
  ASSERT_TRUE(launched.ok()) << launched.error().to_string();
  const rlimit files{40, 40};
  plan_.program.rlimits.push_back({RLIMIT_CORE, "RLIMIT_CORE", files});
  ASSERT_TRUE(equip_init(inputs_, *launched).ok());
  rlimit got{};
  ASSERT_EQ(::prlimit(launched->init.pid(), RLIMIT_CORE, nullptr, &got), 0) << "it is gone";
  EXPECT_EQ(got.rlim_cur, 40U);
}

TEST_F(Launch, InitThatIsKilledIsExplained) {
  auto launched = clone_init(inputs_);
  ASSERT_TRUE(launched.ok()) << launched.error().to_string();
  ASSERT_TRUE(signal_pidfd(launched->init.pidfd(), SIGKILL).ok());
  ASSERT_TRUE(launched->init.wait().ok());
  ASSERT_TRUE(let_proceed(inputs_, *launched).ok());
  const auto ready = await_ready(inputs_, *launched);
  ASSERT_FALSE(ready.ok());
  EXPECT_NE(ready.error().to_string().find("before it was ready"), std::string::npos)
      << ready.error().to_string();
}

TEST_F(Launch, NothingIsLeftOfOneThatIsGivenUp) {
  pid_t pid = 0;
  {
    auto launched = clone_init(inputs_);
    ASSERT_TRUE(launched.ok()) << launched.error().to_string();
    pid = launched->init.pid();
    EXPECT_FALSE(is_gone(pid));
  }
  EXPECT_TRUE(is_gone(pid));
}

// Its parent's end of the channel is all that holds it.
TEST_F(Launch, InitEndsWithTheChannel) {
  auto launched = clone_init(inputs_);
  ASSERT_TRUE(launched.ok()) << launched.error().to_string();
  launched->channel.close();
  const auto status = launched->init.wait();
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(*status, 1);
}

TEST(StartProgram, NobodyIsToldTwice) {
  auto pair = make_message_pair().release_value();
  handshake::Channel runtime(std::move(pair.first), handshake::Speaker::kRuntime,
                             handshake::Conversation::kStart);
  handshake::Channel init(std::move(pair.second), handshake::Speaker::kInit,
                          handshake::Conversation::kStart);
  ASSERT_TRUE(init.send(handshake::Failed{make_error(ErrorKind::kRefused, "no")}).ok());
  const auto started = start_init(runtime, {});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().kind, ErrorKind::kRefused);
  EXPECT_FALSE(start_init(runtime, {}).ok());
}

}  // namespace
}  // namespace langsbx::runtime
