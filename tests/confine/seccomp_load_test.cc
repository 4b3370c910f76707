// Loading filters in the child, and the listener's way to the agent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "runtime/confine/seccomp.h"
#include "tests/support/answered_call.h"
#include "tests/support/in_child.h"

namespace langsbx::confine {
namespace {

using test::failed;
using test::in_child;
using testing::HasSubstr;

oci::Seccomp profile(std::string default_action, std::vector<oci::SeccompRule> rules) {
  oci::Seccomp result;
  result.default_action = std::move(default_action);
  result.syscalls = std::move(rules);
  return result;
}

TEST(SeccompLoad, RefusesAsPlanned) {
  const auto plan =
      plan_seccomp(profile("SCMP_ACT_ALLOW", {{{"mkdir"}, "SCMP_ACT_ERRNO", 28, {}}}), {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ("", in_child([&]() -> std::string {
              ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
              if (auto error = failed(load_seccomp(*plan, -1)); !error.empty()) return error;
              if (::syscall(SYS_mkdir, "/no/where", 0700) != -1 || errno != ENOSPC)
                return "not refused";
              return "";
            }));
}

TEST(SeccompLoad, AFilterThatDoesNotLoadIsAnError) {
  const auto plan =
      plan_seccomp(profile("SCMP_ACT_ALLOW", {{{"mkdir"}, "SCMP_ACT_ERRNO", 28, {}}}), {});
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(in_child([&]() -> std::string {
                ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
                if (!test::answer_call({SYS_seccomp}, EINVAL)) return "no filter";
                return failed(load_seccomp(*plan, -1));
              }),
              HasSubstr("seccomp linux.seccomp: "));
}

// The agent: continues every call it is asked about.
void serve(int listener) {
  while (true) {
    std::array<char, 1024> room{};
    auto* request = reinterpret_cast<seccomp_notif*>(room.data());
    if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, request) != 0) {
      if (errno == EINTR) continue;
      return;
    }
    seccomp_notif_resp response{};
    response.id = request->id;
    response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
}

// Every call that the hand-over could make is notified; a dead-lock would run into the timeout.
TEST(SeccompLoad, HandsTheListenerOverWhateverIsNotified) {
  oci::Seccomp wanted = profile(
      "SCMP_ACT_ALLOW",
      {{{"sendmsg", "sendto", "write",     "fcntl",           "close", "futex",  "poll",
         "recvmsg", "openat", "nanosleep", "clock_nanosleep", "exit",  "mmap",   "munmap",
         "clone",   "execve", "dup",       "rt_sigprocmask",  "prctl", "getpid", "exit_group"},
        "SCMP_ACT_NOTIFY",
        {},
        {}}});
  wanted.listener_path = "/run/agent.sock";
  const auto plan = plan_seccomp(wanted, {});
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  const pid_t pid = ::fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::alarm(20);
    if (!load_seccomp(*plan, ends[1]).ok()) ::_exit(3);
    ::execl("/bin/true", "true", nullptr);
    ::_exit(4);
  }
  ::close(ends[1]);
  auto listener = receive_listener(ends[0], 10'000);
  ASSERT_TRUE(listener.ok()) << listener.error().to_string();
  std::thread agent(serve, listener->get());
  int status = 0;
  ::waitpid(pid, &status, 0);
  agent.join();  // the kernel ends the listener with the last filtered process
  ::close(ends[0]);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// The kernel takes the flag only where there is a listener; 5.19 and newer know it.
TEST(SeccompLoad, WaitsKillableWhereThereIsAListener) {
  constexpr std::uint32_t kWaitKillable = 1U << 5U;
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                kWaitKillable | SECCOMP_FILTER_FLAG_NEW_LISTENER, nullptr) != -1 ||
      errno != EFAULT) {
    GTEST_SKIP() << "the kernel is older than 5.19";
  }
  oci::Seccomp wanted = profile("SCMP_ACT_ALLOW", {{{"mkdir"}, "SCMP_ACT_NOTIFY", {}, {}}});
  wanted.listener_path = "/run/agent.sock";
  wanted.flags = {"SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"};
  const auto plan = plan_seccomp(wanted, {});
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(plan->filters[0].flags, kWaitKillable);
  EXPECT_EQ("", in_child([&]() -> std::string {
              int ends[2] = {-1, -1};
              ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
              ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
              return failed(load_seccomp(*plan, ends[1]));
            }));
  wanted.syscalls.clear();
  EXPECT_EQ(plan_seccomp(wanted, {})->filters[0].flags, 0U);
}

// What startContainer hooks are under: there is one listener, and it is the program's.
TEST(SeccompLoad, TheConfigsFiltersAloneLoadWithoutAListener) {
  oci::Seccomp wanted = profile("SCMP_ACT_ALLOW", {{{"mkdir"}, "SCMP_ACT_NOTIFY", {}, {}}});
  wanted.listener_path = "/run/agent.sock";
  auto plan = plan_seccomp(wanted, {});
  ASSERT_TRUE(plan.ok());
  const auto more = profile("SCMP_ACT_ALLOW", {{{"rmdir"}, "SCMP_ACT_ERRNO", 28, {}}});
  ASSERT_TRUE(stack_seccomp({"language profile x", more, {}}, {}, *plan).ok());
  plan->filters[0].flags |= 1U << 5U;  // WAIT_KILLABLE_RECV
  const SeccompPlan own = filters_of_config(*plan);
  EXPECT_EQ(own.filters.size(), 1U);
  EXPECT_FALSE(own.has_listener());
  EXPECT_EQ("", in_child([&]() -> std::string {
              ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
              if (auto error = failed(load_seccomp(own, -1)); !error.empty()) return error;
              if (::syscall(SYS_mkdir, "/no/where", 0700) != -1 || errno != ENOSYS) return "mkdir";
              if (::syscall(SYS_rmdir, "/no/where") != -1 || errno != ENOENT) return "rmdir";
              return "";
            }));
}

TEST(SeccompListener, TellsWhenInitDiedFirst) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  ::close(ends[1]);
  EXPECT_FALSE(receive_listener(ends[0], 1000).ok());
  ::close(ends[0]);
}

TEST(SeccompListener, PassesStateAndDescriptorToTheAgent) {
  std::string pattern = testing::TempDir() + "agent-XXXXXX";
  const std::string folder = ::mkdtemp(pattern.data());
  const std::string path = folder + "/sock";
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ASSERT_EQ(::listen(server, 1), 0);
  ASSERT_EQ(failed(send_listener(path, 0, "{\"fds\":[\"seccompFd\"]}")), "");
  const int client = ::accept(server, nullptr, nullptr);
  char text[128] = {};
  EXPECT_EQ(::read(client, text, sizeof(text)), 21);
  EXPECT_STREQ(text, "{\"fds\":[\"seccompFd\"]}");
  ::close(client);
  ::close(server);
  ::unlink(path.c_str());
  EXPECT_FALSE(send_listener(path, 0, "{}").ok());
  ::rmdir(folder.c_str());
}

}  // namespace
}  // namespace langsbx::confine
