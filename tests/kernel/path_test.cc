// Paths below a hostile root: the kernel's resolution and the walk that stands in for it.
#include "runtime/kernel/path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace langsbx {
namespace {

namespace files = std::filesystem;

class Below : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (files::temp_directory_path() / "langsbx-path-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    outer_ = name;
    files::create_directories(outer_ / "root/a/b");
    files::create_directories(outer_ / "secret");
    files::create_symlink("/secret", outer_ / "root/absolute");
    files::create_symlink("../../../../../../secret", outer_ / "root/a/up");
    files::create_symlink("a/b", outer_ / "root/in");
    files::create_symlink("loop", outer_ / "root/loop");
    files::create_symlink("/proc/self/root", outer_ / "root/magic");
    files::create_symlink((outer_ / "secret").string(), outer_ / "root/out");
    root_ = UniqueFd(::open((outer_ / "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(root_.valid());
  }
  void TearDown() override { files::remove_all(outer_); }

  // Empty: refused; else what is found, below the root.
  std::string found(const Result<UniqueFd>& opened) const {
    if (!opened.ok()) return "";
    const std::string path = path_of_descriptor(opened->get()).value_or("?");
    const std::string root = files::canonical(outer_ / "root").string();
    return path.starts_with(root) ? path.substr(root.size()) + "/" : "outside: " + path;
  }
  void expect_both(const std::string& path, const std::string& wanted) const {
    EXPECT_EQ(found(open_in_root(root_.get(), path, O_PATH)), wanted) << path;
    EXPECT_EQ(found(walk_in_root(root_.get(), path, O_PATH)), wanted) << path << " (walk)";
  }

  files::path outer_;
  UniqueFd root_;
};

TEST_F(Below, NothingLeadsOut) {
  expect_both("/", "/");
  expect_both("../../..", "/");
  expect_both("a/../../../a", "/a/");
  expect_both("in", "/a/b/");
  expect_both("in/../../..", "/");
  expect_both("absolute", "");
  expect_both("a/up", "");
  expect_both("out", "");
  expect_both("magic/etc", "");
  expect_both("loop", "");
  expect_both("a/none", "");
}

TEST_F(Below, WhatIsMadeIsMadeInside) {
  files::create_directories(outer_ / "root/secret");
  const auto made = make_directories_in_root(root_.get(), "absolute/x/y");
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_TRUE(files::is_directory(outer_ / "root/secret/x/y"));
  EXPECT_TRUE(files::is_empty(outer_ / "secret"));
  EXPECT_FALSE(make_directories_in_root(root_.get(), "new/../../x").ok());
  const auto parent = open_parent_in_root(root_.get(), "/a/up/deep/file");
  EXPECT_TRUE(files::is_empty(outer_ / "secret"));
}

TEST_F(Below, LinksToNowhereLeadInside) {
  files::create_symlink("/run/resolve/stub", outer_ / "root/a/resolv.conf");
  const auto place = open_place_in_root(root_.get(), "a/resolv.conf");
  ASSERT_TRUE(place.ok()) << place.error().to_string();
  EXPECT_EQ(place->name, "stub");
  EXPECT_EQ(path_of_descriptor(place->parent.get()).value_or(""),
            files::canonical(outer_ / "root").string() + "/run/resolve");
  files::create_symlink("/jump/x", outer_ / "root/first");
  files::create_symlink("../../../../tmp/far", outer_ / "root/jump");
  ASSERT_TRUE(make_directories_in_root(root_.get(), "first/y").ok());
  EXPECT_TRUE(files::is_directory(outer_ / "root/tmp/far/x/y"));
  EXPECT_FALSE(open_place_in_root(root_.get(), "loop").ok());
  EXPECT_FALSE(open_place_in_root(root_.get(), "loop/x").ok());
  EXPECT_FALSE(open_place_in_root(root_.get(), "..").ok());
}

TEST_F(Below, BeneathFollowsNoLink) {
  EXPECT_TRUE(open_beneath(root_.get(), "a/b", O_PATH).ok());
  for (const char* path : {"in", "absolute", "out", "../secret", "a/../../secret", "magic"}) {
    EXPECT_FALSE(open_beneath(root_.get(), path, O_PATH | O_DIRECTORY).ok()) << path;
  }
}

TEST_F(Below, RealDirectories) {
  const std::string outer = files::canonical(outer_).string();
  const std::string real = outer + "/root/a/b";
  for (const char* path : {"/root/a/b", "/root/a/b/", "/root//a/b", "/root/./a/b", "/root/a/../a/b",
                           "/root/a/b/.", "/root/in", "/root/in/../b"}) {
    const auto found = real_directory(outer + path);
    ASSERT_TRUE(found.ok()) << path;
    EXPECT_EQ(*found, real) << path;
  }
  EXPECT_EQ(real_directory("/").value_or(""), "/");
  EXPECT_EQ(real_directory(".").value_or(""), files::current_path().string());
  files::create_symlink(outer + "/root", outer_ / "link");
  EXPECT_EQ(real_directory(outer + "/link/a").value_or(""), outer + "/root/a");
  EXPECT_EQ(real_directory(outer + "/none").error().errno_value, ENOENT);
  files::create_symlink("x", outer_ / "root/a/b/x");
  EXPECT_EQ(real_directory(real + "/x").error().errno_value, ELOOP);
  EXPECT_EQ(real_directory("/proc/self/status").error().errno_value, ENOTDIR);
}

}  // namespace
}  // namespace langsbx
