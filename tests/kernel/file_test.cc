// Whole files: sizes around the first read, kernel files, limits.
#include "runtime/kernel/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace langsbx {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/langsbx-file-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    ::unlink((folder_ + "/file").c_str());
    ::rmdir(folder_.c_str());
  }
  std::string with(std::size_t size) {
    const std::string path = folder_ + "/file";
    const auto fd = open_file(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd.ok() && size > 0) {
      EXPECT_TRUE(write_fd(fd->get(), std::string(size, 'x'), path).ok());
    }
    return path;
  }
  std::string folder_;
};

TEST_F(Files, EverySizeIsReadWhole) {
  for (const std::size_t size : {0U, 1U, 4095U, 4096U, 4097U, 70000U}) {
    const std::string path = with(size);
    const auto text = read_file(path);
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(text->size(), size);
    const auto kernel = read_kernel_file(AT_FDCWD, path.c_str());
    ASSERT_TRUE(kernel.ok());
    EXPECT_EQ(kernel->size(), size);
  }
}

TEST_F(Files, TheLimitIsKept) {
  EXPECT_TRUE(read_file(with(100), 100).ok());
  EXPECT_FALSE(read_file(with(101), 100).ok());
}

TEST_F(Files, KernelFilesHaveNoSize) {
  const auto limits = read_file("/proc/self/limits");
  ASSERT_TRUE(limits.ok());
  const auto again = read_kernel_file(AT_FDCWD, "/proc/self/limits");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*limits, *again);
  EXPECT_EQ(read_kernel_file(AT_FDCWD, "/proc/self/no-such").error().errno_value, ENOENT);
}

}  // namespace
}  // namespace langsbx
