// What is kept stays open, everything else is closed.
#include "runtime/kernel/close_range.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace langsbx {
namespace {

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

// In a child, which has nothing to lose: its status is the number of descriptors that are wrong.
int wrong_after(const std::vector<int>& kept, unsigned first) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int fd = 20; fd < 30; ++fd) ::dup2(STDERR_FILENO, fd);
    if (!close_all_but(kept, first).ok()) ::_exit(100);
    int wrong = 0;
    for (int fd = 20; fd < 30; ++fd) {
      const bool stays = static_cast<unsigned>(fd) < first ||
                         std::find(kept.begin(), kept.end(), fd) != kept.end();
      wrong += is_open(fd) != stays ? 1 : 0;
    }
    ::_exit(wrong);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(CloseRange, KeepsWhatIsNamed) {
  EXPECT_EQ(wrong_after({}, 20), 0);
  EXPECT_EQ(wrong_after({29, 20}, 20), 0);
  EXPECT_EQ(wrong_after({22, 23, 25}, 21), 0);
  EXPECT_EQ(wrong_after({2, 21, 21}, 3), 0);
  EXPECT_EQ(wrong_after({-1, 24}, 3), 0);
  EXPECT_EQ(wrong_after({}, 25), 0);
}

}  // namespace
}  // namespace langsbx
