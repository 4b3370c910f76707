// What is said to the kernel is done, or is an error.
#include "runtime/kernel/session.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

#include "tests/support/in_child.h"

namespace langsbx {
namespace {

TEST(Session, ASecondOneIsAnError) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              if (auto first = test::failed(start_session()); !first.empty()) return first;
              if (::getsid(0) != ::getpid()) return "no session of its own";
              const auto second = start_session();
              if (second.ok()) return "made twice";
              return second.error().errno_value == EPERM ? "" : second.error().to_string();
            }));
}

TEST(Session, IsUndumpable) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              if (auto error = test::failed(become_undumpable()); !error.empty()) return error;
              return ::prctl(PR_GET_DUMPABLE) == 0 ? "" : "dumpable";
            }));
}

TEST(Session, AdoptsOrphans) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              if (auto error = test::failed(adopt_orphans()); !error.empty()) return error;
              int adopts = 0;
              ::prctl(PR_GET_CHILD_SUBREAPER, &adopts);
              return adopts == 1 ? "" : "does not";
            }));
}

TEST(Session, TracersAreAllowedAndNotAnyMore) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              if (auto error = test::failed(allow_any_tracer(true)); !error.empty()) return error;
              return test::failed(allow_any_tracer(false));
            }));
}

}  // namespace
}  // namespace langsbx
