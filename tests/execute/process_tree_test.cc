// Descendants are found, counted and ended, wherever they moved to.
#include "runtime/execute/process_tree.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/kernel/process.h"

namespace langsbx::execute {
namespace {

// In a child: the test's own process has to stay no subreaper.
int in_child(const std::function<int()>& body) {
  auto child = fork_child({}, body);
  return child.ok() ? child->wait().value_or(-1) : -1;
}

int sleep_long() {
  ::sleep(100);
  return 0;
}

TEST(ProcessTree, ChildrenOfChildrenAreFound) {
  EXPECT_EQ(in_child([] {
              ::prctl(PR_SET_CHILD_SUBREAPER, 1);
              auto child = fork_child({}, [] {
                static_cast<void>(fork_child({}, sleep_long)->release());
                return sleep_long();
              });
              while (descendants(::getpid()).size() < 2) ::usleep(1000);
              const auto use = tree_use(::getpid());
              kill_descendants();
              static_cast<void>(child->release());
              const bool gone = descendants(::getpid()).empty();
              return use.tasks == 2 && use.memory > 0 && gone ? 0 : 1;
            }),
            0);
}

TEST(ProcessTree, OrphansOfTheirOwnSessionAreEnded) {
  EXPECT_EQ(in_child([] {
              ::prctl(PR_SET_CHILD_SUBREAPER, 1);
              auto child = fork_child({}, [] {
                static_cast<void>(fork_child({}, [] {
                                    ::setsid();
                                    return sleep_long();
                                  })->release());
                return 0;
              });
              static_cast<void>(child->wait());
              while (descendants(::getpid()).empty()) ::usleep(1000);
              kill_descendants();
              return descendants(::getpid()).empty() ? 0 : 1;
            }),
            0);
}

}  // namespace
}  // namespace langsbx::execute
