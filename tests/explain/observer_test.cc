// The observer's life: attached before the program goes on, done when it ends, nothing left behind.
#include "runtime/explain/observer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/confine/no_new_privs.h"
#include "runtime/kernel/file.h"

namespace langsbx::explain {
namespace {

using testing::HasSubstr;

confine::SeccompPlan no_mkdir() {
  oci::Seccomp profile;
  profile.default_action = "SCMP_ACT_ALLOW";
  profile.syscalls = {{{"mkdir", "mkdirat"}, "SCMP_ACT_ERRNO", 1, {}}};
  return confine::plan_seccomp(profile, {}).release_value();
}

// A shell that waits for a line on its gate before it loads the filter and runs.
struct Waiting {
  ChildProcess child;
  UniqueFd gate;
};

Waiting waiting(const confine::SeccompPlan& plan, const char* script) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  auto child = fork_child({}, [&] {
    ::close(ends[1]);
    char byte = 0;
    (void)!::read(ends[0], &byte, 1);
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 2; ++fd) ::dup2(null, fd);
    if (!confine::set_no_new_privs().ok() || !confine::load_seccomp(plan, -1).ok()) return 90;
    ::execl("/bin/sh", "sh", "-c", script, nullptr);
    return 91;
  });
  ::close(ends[0]);
  return {child.release_value(), UniqueFd(ends[1])};
}

class Observed : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  }
};

TEST_F(Observed, TellsInTheFileAndAtTheEnd) {
  const auto plan = no_mkdir();
  auto program = waiting(plan, "mkdir /none-such/x; mkdir /none-such/x; exit 7");
  const UniqueFd events(::memfd_create("events", MFD_CLOEXEC));
  auto observer = Observer::start({program.child.pid(), &plan, nullptr, false}, events.get());
  ASSERT_TRUE(observer.ok()) << observer.error().to_string();
  program.gate.reset();
  EXPECT_EQ(program.child.wait().value_or(-1), 7);
  const auto denials = observer->finish();
  ASSERT_TRUE(denials.ok()) << denials.error().to_string();
  ASSERT_EQ(denials->size(), 1U);
  EXPECT_EQ(denials->at(0).layer, "seccomp linux.seccomp");
  EXPECT_EQ(denials->at(0).syscall, "mkdir");
  EXPECT_EQ(denials->at(0).errno_value, 1);
  EXPECT_EQ(denials->at(0).count, 2U);
  ASSERT_EQ(::lseek(events.get(), 0, SEEK_SET), 0);
  const auto text = read_fd(events.get(), 4096, "events");
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, HasSubstr(R"("syscall":"mkdir")"));
}

TEST_F(Observed, ProcessesThatLiveOnAreLetGo) {
  const auto plan = no_mkdir();
  auto program = waiting(plan, "sleep 5 & exit 0");
  auto observer = Observer::start({program.child.pid(), &plan, nullptr, false}, -1);
  ASSERT_TRUE(observer.ok()) << observer.error().to_string();
  program.gate.reset();
  EXPECT_EQ(program.child.wait().value_or(-1), 0);
  const auto denials = observer->finish();  // does not wait for sleep
  ASSERT_TRUE(denials.ok()) << denials.error().to_string();
  EXPECT_TRUE(denials->empty());
}

TEST_F(Observed, WhatMayNotBeTracedIsSaid) {
  const auto plan = no_mkdir();
  auto program = waiting(plan, "exit 0");
  auto first = Observer::start({program.child.pid(), &plan, nullptr, false}, -1);
  ASSERT_TRUE(first.ok()) << first.error().to_string();
  const auto second = Observer::start({program.child.pid(), &plan, nullptr, false}, -1);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().to_string(), HasSubstr("may not be traced"));
  program.gate.reset();
  EXPECT_EQ(program.child.wait().value_or(-1), 0);
  EXPECT_TRUE(first->finish().ok());
}

// No privilege is needed for one's own child.
TEST(ObservedByAUser, AsRootSeesIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become somebody else";
  auto user = fork_child({}, [] {
    if (::setgid(12345) != 0 || ::setuid(12345) != 0 || ::prctl(PR_SET_DUMPABLE, 1) != 0) return 2;
    const auto plan = no_mkdir();
    auto program = waiting(plan, "mkdir /none-such/x");
    auto observer = Observer::start({program.child.pid(), &plan, nullptr, false}, -1);
    if (!observer.ok()) return 3;
    program.gate.reset();
    static_cast<void>(program.child.wait());
    const auto denials = observer->finish();
    if (!denials.ok()) return 4;
    const auto is_mkdir = [](const Denial& denial) { return denial.syscall == "mkdir"; };
    return std::any_of(denials->begin(), denials->end(), is_mkdir) ? 0 : 5;
  });
  ASSERT_TRUE(user.ok());
  EXPECT_EQ(user->wait().value_or(-1), 0);
}

TEST_F(Observed, AProcessThatIsGoneIsAnError) {
  auto ended = fork_child({}, [] { return 0; });
  ASSERT_TRUE(ended.ok());
  const pid_t pid = ended->pid();
  EXPECT_EQ(ended->wait().value_or(-1), 0);
  const auto observer = Observer::start({pid, nullptr, nullptr, false}, -1);
  ASSERT_FALSE(observer.ok());
  EXPECT_THAT(observer.error().to_string(), HasSubstr("PTRACE_SEIZE"));
}

}  // namespace
}  // namespace langsbx::explain
