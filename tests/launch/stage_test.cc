// Processes that a throw-away process makes.
#include "runtime/launch/stage.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/kernel/file.h"

namespace langsbx::runtime {
namespace {

TEST(Stage, TheChildIsOurs) {
  auto child = fork_in_stage({}, {}, [] { return 7; });
  ASSERT_TRUE(child.ok()) << child.error().to_string();
  const auto status = child->wait();
  ASSERT_TRUE(status.ok()) << status.error().to_string();
  EXPECT_EQ(*status, 7);
}

TEST(Stage, WhatCannotBeJoinedIsSaidByItsError) {
  const auto no_namespace = open_file("/dev/null", O_RDONLY).release_value();
  bool ran = false;
  const auto child = fork_in_joined_stage({no_namespace.get(), CLONE_NEWNET, {}}, [&] {
    ran = true;
    return 0;
  });
  ASSERT_FALSE(child.ok());
  EXPECT_EQ(child.error().errno_value, EINVAL) << child.error().to_string();
  EXPECT_NE(child.error().to_string().find("setns to the container's namespaces"),
            std::string::npos);
  EXPECT_FALSE(ran);
}

// Who watches sees the maker before it has joined anything; without his consent nothing is made.
TEST(Stage, WaitsForItsWatcher) {
  pid_t maker = 0;
  const auto refused =
      fork_in_joined_stage({-1, 0,
                            [&](pid_t pid) -> Result<void> {
                              maker = pid;
                              return make_error(ErrorKind::kRefused, "not watched");
                            }},
                           [] { return 0; });
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kRefused);
  EXPECT_GT(maker, 0);
  auto child =
      fork_in_joined_stage({-1, 0, [](pid_t) { return Result<void>(); }}, [] { return 3; });
  ASSERT_TRUE(child.ok()) << child.error().to_string();
  EXPECT_EQ(child->wait().release_value(), 3);
}

}  // namespace
}  // namespace langsbx::runtime
