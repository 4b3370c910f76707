// Directories, inherited values and the files used for them, on what only looks like cgroups.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "runtime/cgroup/tree.h"
#include "runtime/cgroup/used_files.h"
#include "runtime/cgroup/v1/cpuset_inherit.h"
#include "tests/support/fake_cgroup.h"
#include "tests/support/in_child.h"

namespace langsbx::cgroup {
namespace {

using ::testing::ElementsAre;

class Making : public ::testing::Test {
 protected:
  test::FakeCgroup tree_;
  Root root_;
};

TEST_F(Making, CpusetIsInheritedFromTheTop) {
  tree_.put("cpuset.cpus", "0-3\n");
  tree_.put("cpuset.mems", "0\n");
  for (const char* file : {"a/cpuset.cpus", "a/cpuset.mems", "a/b/cpuset.cpus"}) tree_.put(file);
  tree_.put("a/b/cpuset.mems", "0\n");
  UsedFiles used;
  ASSERT_TRUE(v1::inherit_cpuset(tree_.root(), tree_.root() + "/a/b", 0, used).ok());
  EXPECT_EQ(tree_.get("a/cpuset.cpus"), "0-3");
  EXPECT_EQ(tree_.get("a/b/cpuset.cpus"), "0-3");
  EXPECT_EQ(tree_.get("a/cpuset.mems"), "");  // what has a value is not walked past
}

TEST_F(Making, CpusetsThatWereJustMadeAreNotRead) {
  tree_.put("cpuset.cpus", "0-3\n");
  tree_.put("cpuset.mems", "0\n");
  for (const char* file :
       {"a/cpuset.cpus", "a/cpuset.mems", "a/b/cpuset.cpus", "a/b/cpuset.mems"}) {
    tree_.put(file, "9");
  }
  UsedFiles used;
  ASSERT_TRUE(v1::inherit_cpuset(tree_.root(), tree_.root() + "/a/b", 2, used).ok());
  EXPECT_EQ(tree_.get("a/cpuset.cpus"), "0-3");
  EXPECT_EQ(tree_.get("a/b/cpuset.cpus"), "0-3");
  EXPECT_EQ(tree_.get("a/b/cpuset.mems"), "0");
}

TEST_F(Making, CpusetsOfNewParentsInheritFromThenOn) {
  tree_.put("cpuset.cpus", "0-3\n");
  tree_.put("cpuset.mems", "0\n");
  for (const char* folder : {"a", "a/b", "a/b/c"}) {
    for (const char* file : {"/cpuset.cpus", "/cpuset.mems", "/cgroup.clone_children"})
      tree_.put(std::string(folder) + file);
  }
  UsedFiles used;
  ASSERT_TRUE(v1::inherit_cpuset(tree_.root(), tree_.root() + "/a/b/c", 3, used).ok());
  EXPECT_EQ(tree_.get("a/b/c/cpuset.cpus"), "0-3");
  EXPECT_EQ(tree_.get("a/b/cgroup.clone_children"), "1");
  EXPECT_EQ(tree_.get("a/b/c/cgroup.clone_children"), "") << "is the container's own matter";
}

TEST_F(Making, WhatTheKernelFilledIsLeftAlone) {
  tree_.put("a/cpuset.cpus", "0-3\n");
  tree_.put("a/cpuset.mems", "0-1\n");
  tree_.put("a/b/cpuset.cpus", "\n");
  tree_.put("a/b/cpuset.mems", "\n");
  UsedFiles used;
  ASSERT_TRUE(v1::inherit_cpuset(tree_.root(), tree_.root() + "/a/b", 1, used).ok());
  EXPECT_EQ(tree_.get("a/b/cpuset.cpus").substr(0, 3), "0-3") << "the parent is of the old kind";
  EXPECT_EQ(tree_.get("a/b/cpuset.mems").substr(0, 3), "0-1");
  tree_.put("a/c/cpuset.cpus", "5\n");
  tree_.put("a/c/cpuset.mems", "1\n");
  ASSERT_TRUE(v1::inherit_cpuset(tree_.root(), tree_.root() + "/a/c", 1, used).ok());
  EXPECT_EQ(tree_.get("a/c/cpuset.cpus"), "5\n");
  EXPECT_EQ(tree_.get("a/c/cpuset.mems"), "1\n");
}

TEST_F(Making, DirectoriesAreMadeWhateverIsExpected) {
  const std::string& top = tree_.root();
  std::vector<std::string> made;
  EXPECT_EQ(*make_directory(root_, top, top + "/a/b/c", made), 3U);
  EXPECT_THAT(made, ElementsAre(top + "/a", top + "/a/b", top + "/a/b/c"));
  EXPECT_EQ(*make_directory(root_, top, top + "/a/b/c", made), 0U);
  made.clear();
  EXPECT_EQ(*make_directory(root_, top, top + "/d/e", made, 2), 2U);
  EXPECT_THAT(made, ElementsAre(top + "/d", top + "/d/e"));
  EXPECT_EQ(*make_directory(root_, top, top + "/d/f", made, 2), 1U)
      << "the parent is there after all";
  EXPECT_EQ(*make_directory(root_, top, top + "/g/h/i", made, 2), 3U) << "more is missing";
  EXPECT_EQ(*make_directory(root_, top, top + "/j", made, 7), 1U) << "less can be missing";
  EXPECT_EQ(*make_directory(root_, top, top + "/a/b/c", made, 3), 0U);
  tree_.put("file");
  EXPECT_EQ(make_directory(root_, top, top + "/file/x/y", made, 2).error().errno_value, ENOTDIR);
}

TEST_F(Making, MountPointsThatAreGoneAreNotMade) {
  std::vector<std::string> made;
  const std::string mount = tree_.root() + "/pids";
  for (const std::size_t expected : {0U, 1U, 2U}) {
    const auto failed = make_directory(root_, mount, mount + "/a/b", made, expected);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().errno_value, ENOENT);
  }
  EXPECT_FALSE(tree_.has("pids"));
  EXPECT_TRUE(made.empty());
}

TEST_F(Making, UsedFilesAreClosed) {
  const auto open_files = [] {
    const auto list = std::filesystem::directory_iterator("/proc/self/fd");
    return std::distance(begin(list), end(list));
  };
  const auto before = open_files();
  for (int i = 0; i < 40; ++i) tree_.put("f" + std::to_string(i));
  {
    UsedFiles used;
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(used.write(tree_.root() + "/f" + std::to_string(i), "x").ok());
      EXPECT_LT(open_files(), before + 20) << "whoever has few is not left without";
    }
    EXPECT_GT(open_files(), before + 1);
    UsedFiles other;
    ASSERT_TRUE(other.write(tree_.root() + "/f0", "y").ok());
    other = std::move(used);
    EXPECT_EQ(*other.read(tree_.root() + "/f0"), "y");
    EXPECT_FALSE(other.read(tree_.root() + "/none").ok());
  }
  EXPECT_EQ(open_files(), before);
  EXPECT_EQ(tree_.get("f39"), "x");
}

TEST_F(Making, FewOpenFilesAreEnough) {
  tree_.put("f");
  const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(next) + 3;
  UsedFiles used;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int i = 0; i < 10; ++i) {
    const auto opened = used.open(tree_.root() + "/f", O_WRONLY);
    EXPECT_TRUE(opened.ok()) << i;
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ::close(next);
}

TEST(CgroupRoot, PlacesBelowItAreWalkedFromThere) {
  const std::string below = "/sys/fs/cgroup/a/b";
  const std::string elsewhere = "/sys/fs/cgroups/a";
  Root root;
  EXPECT_EQ(root.place(elsewhere).directory, AT_FDCWD);
  EXPECT_EQ(root.place(elsewhere).path, elsewhere.c_str());
  EXPECT_FALSE(root.take().valid()) << "opened only when it is needed";
  const auto place = root.place(below);
  if (::access("/sys/fs/cgroup", F_OK) != 0) {
    EXPECT_EQ(place.directory, AT_FDCWD);
    GTEST_SKIP() << "no /sys/fs/cgroup";
  }
  EXPECT_STREQ(place.path, "a/b");
  const UniqueFd taken = root.take();
  ASSERT_EQ(taken.get(), place.directory);
  EXPECT_NE(::fcntl(taken.get(), F_GETFD) & FD_CLOEXEC, 0);
  struct stat opened {};
  struct stat expected {};
  ASSERT_EQ(::fstat(taken.get(), &opened), 0);
  ASSERT_EQ(::stat("/sys/fs/cgroup", &expected), 0);
  EXPECT_EQ(opened.st_ino, expected.st_ino);
  const auto error = root.open("/sys/fs/cgroup/none-such/file", O_RDONLY);
  EXPECT_EQ(error.error().errno_value, ENOENT);
  EXPECT_NE(error.error().message.find("/sys/fs/cgroup/none-such/file"), std::string::npos);
}

TEST(CgroupRoot, IsNotNeeded) {
  const auto report = test::in_child([]() -> std::string {
    rlimit none{0, 0};
    if (::setrlimit(RLIMIT_NOFILE, &none) != 0) return "setrlimit";
    Root root;
    const std::string path = "/sys/fs/cgroup/a";
    const auto place = root.place(path);
    return place.directory == AT_FDCWD && place.path == path.c_str() ? "" : "wrong";
  });
  EXPECT_EQ(report, "");
}

}  // namespace
}  // namespace langsbx::cgroup
