// Which descriptors a program gets. In a child, since every descriptor of the process is marked.
#include "runtime/launch/descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/support/in_child.h"

namespace langsbx::runtime {
namespace {

std::string verdict(bool right) { return right ? "" : "wrong"; }

// 3 and 5 are the caller's, 4 is one of ours, 6 is not open.
void arrange() {
  for (int fd = 3; fd < 16; ++fd) ::close(fd);
  for (const int fd : {3, 5}) ::dup2(0, fd);
  ::fcntl(0, F_DUPFD_CLOEXEC, 4);
}

TEST(Descriptors, OfTheCallerPassOthersAreHeldBack) {
  EXPECT_EQ("", test::in_child([] {
              arrange();
              auto taken = take_descriptors(4, true);
              return verdict(taken.ok() && *taken == std::vector<int>{3, 5} &&
                             (::fcntl(3, F_GETFD) & FD_CLOEXEC) != 0);
            }));
}

TEST(Descriptors, WhatTheCallerLeftOpenIsFound) {
  EXPECT_EQ(
      "", test::in_child([] {
        arrange();
        // Beyond these the test's own caller may have left some.
        const auto below_16 = [](int preserve_fds) {
          auto found = leaked_descriptors(preserve_fds, false).release_value();
          std::erase_if(found, [](int fd) { return fd >= 16; });
          return found;
        };
        return verdict(below_16(0) == std::vector<int>{3, 5} && below_16(1) == std::vector<int>{5});
      }));
}

TEST(Descriptors, AMissingOneIsAnErrorUnlessHolesAreAllowed) {
  EXPECT_EQ("", test::in_child([] {
              arrange();
              return verdict(take_descriptors(1, false).ok() && !take_descriptors(2, false).ok());
            }));
}

void listen(const char* count, const std::string& pid) {
  ::setenv("LISTEN_FDS", count, 1);
  ::setenv("LISTEN_PID", pid.c_str(), 1);
  ::unsetenv("LISTEN_FDNAMES");
}

TEST(Descriptors, ListenFdsCountToo) {
  EXPECT_EQ("", test::in_child([] {
              arrange();
              listen("1", std::to_string(::getpid()));
              auto taken = take_descriptors(0, false);
              std::vector<std::string> env;
              return verdict(taken.ok() && *taken == std::vector<int>{3} &&
                             add_listen_variables(env, false).ok() &&
                             env == std::vector<std::string>{"LISTEN_FDS=1", "LISTEN_PID=1"});
            }));
  EXPECT_EQ("", test::in_child([] {
              listen("many", std::to_string(::getpid()));
              return verdict(!take_descriptors(0, true).ok());
            }));
}

// Whoever is started by a service gets its environment; only crun takes them for its own.
TEST(Descriptors, ListenFdsOfAnotherProcessAreNotPassedOn) {
  for (const char* const pid : {"1", "", "x"}) {
    EXPECT_EQ("", test::in_child([pid] {
                arrange();
                listen("1", pid);
                auto taken = take_descriptors(0, false);
                std::vector<std::string> env;
                return verdict(taken.ok() && taken->empty() &&
                               add_listen_variables(env, false).ok() && env.empty());
              }))
        << pid;
  }
  EXPECT_EQ("", test::in_child([] {
              arrange();
              listen("1", "1");
              auto taken = take_descriptors(0, true);
              return verdict(taken.ok() && *taken == std::vector<int>{3});
            }));
}

}  // namespace
}  // namespace langsbx::runtime
