// Where mounts go: below the root, and what is known of a file system that was mounted empty.
#include "runtime/isolate/places.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "runtime/kernel/path.h"

namespace langsbx::isolate {
namespace {

namespace files = std::filesystem;

class PlacesBelow : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (files::temp_directory_path() / "langsbx-places-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    top_ = files::canonical(name);
    for (const char* made : {"dev", "run", "tmp"}) files::create_directory(top_ / made);
    root_ = UniqueFd(::open(top_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(root_.valid());
  }
  void TearDown() override { files::remove_all(top_); }

  // What the text for mount(2) leads to, below the root.
  std::string meant(const Result<std::string>& place) const {
    if (!place.ok()) return "refused";
    const std::string path = files::canonical(*place).string();
    return path.substr(0, top_.string().size()) == top_ ? path.substr(top_.string().size()) : path;
  }
  std::string opened(int fd) const {
    return fd < 0 ? "" : path_of_descriptor(fd).value_or("?").substr(top_.string().size());
  }

  files::path top_;
  UniqueFd root_;
  Used used_;
};

TEST_F(PlacesBelow, AMissingDirectoryIsMade) {
  Places places(root_.get(), true, false, used_);
  EXPECT_EQ(meant(places.mount_point("/a/b")), "/a/b");
  EXPECT_TRUE(files::is_directory(top_ / "a/b"));
}

TEST_F(PlacesBelow, WhatIsInAFreshOneIsNamedInIt) {
  Places places(root_.get(), true, false, used_);
  places.mounted("/dev", true);
  const auto place = places.mount_point("/dev/pts");
  EXPECT_EQ(meant(place), "/dev/pts");
  EXPECT_EQ(*place, descriptor_path(places.fresh("/dev")) + "/pts");
}

TEST_F(PlacesBelow, ThereAlreadyItIsNotTakenByName) {
  files::create_directory_symlink("/tmp", top_ / "dev/link");
  files::create_directory(top_ / "dev/old");
  Places places(root_.get(), true, false, used_);
  places.mounted("/dev", true);
  const auto link = places.mount_point("/dev/link");
  EXPECT_EQ(meant(link), "/tmp");
  EXPECT_EQ(link->find("link"), std::string::npos);
  const auto old = places.mount_point("/dev/old");
  EXPECT_EQ(meant(old), "/dev/old");
  EXPECT_EQ(old->find("old"), std::string::npos);
}

TEST_F(PlacesBelow, SeenByOthersNothingIsTakenByName) {
  Places places(root_.get(), false, false, used_);
  places.mounted("/dev", true);
  const auto place = places.mount_point("/dev/pts");
  EXPECT_EQ(meant(place), "/dev/pts");
  EXPECT_EQ(place->find("pts"), std::string::npos);
}

TEST_F(PlacesBelow, TheWorkingDirectoryMayBeThePlace) {
  Places places(root_.get(), true, true, used_);
  const files::path before = files::current_path();
  const auto first = places.mount_point("/tmp");
  const files::path at_first = files::current_path();
  places.mounted("/dev", true);
  const auto pts = places.mount_point("/dev/pts");
  const files::path at_pts = files::current_path();
  const auto outside = places.mount_point("/run");
  const files::path at_outside = files::current_path();
  const auto shm = places.mount_point("/dev/shm");
  const files::path at_shm = files::current_path();
  files::current_path(before);
  EXPECT_EQ(*first, ".");
  EXPECT_EQ(at_first, top_ / "tmp");
  EXPECT_EQ(*pts, "pts");
  EXPECT_EQ(at_pts, top_ / "dev");
  EXPECT_EQ(*outside, ".");
  EXPECT_EQ(at_outside, top_ / "run");
  EXPECT_EQ(*shm, "shm");
  EXPECT_EQ(at_shm, top_ / "dev");
}

TEST_F(PlacesBelow, AnotherFreshOneThereIsEnteredAnew) {
  Places places(root_.get(), true, true, used_);
  const files::path before = files::current_path();
  places.mounted("/dev", true);
  static_cast<void>(places.mount_point("/dev/pts"));
  files::rename(top_ / "dev", top_ / "covered");
  files::create_directory(top_ / "dev");
  places.mounted("/dev", true);
  const auto pts = places.mount_point("/dev/pts");
  const files::path at_pts = files::current_path();
  files::current_path(before);
  EXPECT_EQ(*pts, "pts");
  EXPECT_EQ(at_pts, top_ / "dev");
}

TEST_F(PlacesBelow, TheWorkingDirectoryIsKept) {
  Places places(root_.get(), true, false, used_);
  const files::path before = files::current_path();
  places.mounted("/dev", true);
  EXPECT_TRUE(places.mount_point("/dev/pts").ok());
  EXPECT_TRUE(places.mount_point("/run").ok());
  EXPECT_EQ(files::current_path(), before);
}

TEST_F(PlacesBelow, SeveralFreshOnesAreKnown) {
  Places places(root_.get(), true, false, used_);
  places.mounted("/dev", true);
  places.mounted("/run", true);
  EXPECT_EQ(opened(places.fresh("/dev")), "/dev");
  EXPECT_EQ(opened(places.fresh("/run")), "/run");
  EXPECT_EQ(places.fresh("/tmp"), -1);
  EXPECT_EQ(places.in_fresh("/run/x").parent, places.fresh("/run"));
  EXPECT_EQ(places.in_fresh("/run/x").name, "x");
  EXPECT_EQ(places.in_fresh("/run/x/y").parent, -1);
}

TEST_F(PlacesBelow, CoveredItIsForgotten) {
  Places places(root_.get(), true, false, used_);
  places.mounted("/dev", true);
  places.mounted("/dev/shm", true);
  places.mounted("/run", true);
  places.mounted("/dev", false);
  EXPECT_EQ(places.fresh("/dev"), -1);
  EXPECT_EQ(places.fresh("/dev/shm"), -1);
  EXPECT_EQ(opened(places.fresh("/run")), "/run");
}

TEST_F(PlacesBelow, AMountInsideLeavesItKnown) {
  Places places(root_.get(), true, false, used_);
  places.mounted("/dev", true);
  places.mounted("/dev/mqueue", false);
  places.mounted("/device", false);
  EXPECT_EQ(opened(places.fresh("/dev")), "/dev");
}

TEST_F(PlacesBelow, DotsDoNotLeaveAFreshOne) {
  Places places(root_.get(), true, false, used_);
  places.mounted("/dev", true);
  EXPECT_EQ(meant(places.mount_point("/dev/.")), "/dev");
  const auto up = places.mount_point("/dev/..");
  EXPECT_EQ(up->find(".."), std::string::npos);
}

TEST_F(PlacesBelow, LinksOfTheImageStayBelowTheRoot) {
  files::create_directory_symlink("/", top_ / "up");
  files::create_directory_symlink("../../../../tmp", top_ / "out");
  Places places(root_.get(), true, false, used_);
  EXPECT_EQ(meant(places.mount_point("/up/tmp")), "/tmp");
  EXPECT_EQ(meant(places.mount_point("/out")), "/tmp");
}

TEST_F(PlacesBelow, ProcAndSysAreNoLinks) {
  files::create_directory_symlink("/tmp", top_ / "proc");
  files::create_directory_symlink("/tmp", top_ / "sys");
  Places places(root_.get(), true, false, used_);
  EXPECT_FALSE(places.mount_point("/proc").ok());
  EXPECT_FALSE(places.mount_point("/sys").ok());
  EXPECT_FALSE(places.real_directory("/proc").ok());
}

}  // namespace
}  // namespace langsbx::isolate
