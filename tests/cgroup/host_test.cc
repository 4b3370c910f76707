// Mount tables and /proc/self/cgroup of real hosts.
#include "runtime/cgroup/host.h"

#include <gtest/gtest.h>

#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"
#include "tests/support/fake_cgroup.h"

namespace langsbx::cgroup {
namespace {

constexpr const char* kHybridMounts =
    "23 1 8:1 / / rw - ext4 /dev/root rw\n"
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup none rw,xattr,release_agent=/x,name=systemd\n"
    "50 31 0:32 / /mnt/again rw - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
constexpr const char* kHybridSelf =
    "9:name=systemd:/user.slice\n4:memory:/deep/er\n1:cpu,cpuacct:/\n0::/uni\n";

TEST(ParseHost, Hybrid) {
  const Host host = parse_host(kHybridMounts, kHybridSelf);
  EXPECT_EQ(host.mode, Mode::kHybrid);
  ASSERT_EQ(host.hierarchies.size(), 3U);
  ASSERT_NE(host.find("cpuacct"), nullptr);
  EXPECT_EQ(host.find("cpuacct")->mount_point, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_EQ(host.find("memory")->mount_point, "/sys/fs/cgroup/memory");
  EXPECT_EQ(host.find("memory")->own_path, "/deep/er");
  ASSERT_NE(host.find("name=systemd"), nullptr);
  EXPECT_EQ(host.find("name=systemd")->controllers.size(), 1U);
  EXPECT_EQ(host.unified.own_path, "/uni");
  EXPECT_EQ(host.find("pids"), nullptr);
}

TEST(ParseHost, ModesByWhatIsMounted) {
  EXPECT_EQ(parse_host("1 0 8:1 / / rw - ext4 /dev/root rw\n", "").mode, Mode::kNone);
  EXPECT_EQ(parse_host("1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/a\n").mode,
            Mode::kV2);
  EXPECT_EQ(parse_host("1 0 0:1 / /c/m rw - cgroup cgroup rw,memory\n", "1:memory:/\n").mode,
            Mode::kV1);
}

TEST(ParseHost, EscapedAndTruncatedLines) {
  const Host host = parse_host(
      "1 0 0:1 / /with\\040space rw - cgroup2 cgroup rw\n2 0 0:2 / /x rw - cgroup\n3 - cgroup x "
      "y\n",
      "::\n0\n0::/ok\n");
  EXPECT_EQ(host.mode, Mode::kV2);
  EXPECT_EQ(host.unified.mount_point, "/with space");
  EXPECT_EQ(host.unified.own_path, "/ok");
}

// What stands on the way to a mount hides it, wherever it is in the table.
TEST(ParseHost, HiddenMountsAreNotUsed) {
  const std::string hybrid = kHybridMounts;
  // A tmpfs over /sys/fs/cgroup with one hierarchy bound into it; it kept the number it had before
  // it was moved there.
  const Host moved =
      parse_host(hybrid +
                     "60 31 0:40 / /sys/fs/cgroup rw - tmpfs cgroups rw\n"
                     "61 60 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
                 kHybridSelf);
  EXPECT_EQ(moved.mode, Mode::kV1);
  EXPECT_EQ(moved.find("cpu"), nullptr);
  ASSERT_NE(moved.find("memory"), nullptr);
  EXPECT_EQ(parse_host(hybrid + "70 23 0:41 / /sys rw - sysfs sysfs rw\n", "").mode, Mode::kNone)
      << "all of them stand on what is hidden";
  EXPECT_EQ(parse_host(hybrid + "70 23 0:41 / /sys/fs/cgro rw - tmpfs t rw\n", "").mode,
            Mode::kHybrid);
  // Beside, below and before.
  EXPECT_EQ(parse_host("70 23 0:41 / /mnt rw - tmpfs t rw\n" + hybrid, "").mode, Mode::kHybrid);
  EXPECT_EQ(parse_host(hybrid + "71 41 0:41 / /sys/fs/cgroup/unified/a rw - tmpfs t rw\n", "").mode,
            Mode::kHybrid);
  EXPECT_EQ(parse_host(hybrid + "71 41 0:41 / /sys/fs/cgroup/unified rw - tmpfs t rw\n", "").mode,
            Mode::kV1);
}

// On whatever host this runs: the way without the mount table finds what the table says.
TEST(DetectHost, TheShortWayAgreesWithTheMountTable) {
  const auto mountinfo = read_file("/proc/self/mountinfo");
  const auto self_cgroup = read_file("/proc/self/cgroup");
  ASSERT_TRUE(mountinfo.ok() && self_cgroup.ok());
  const Host expected = parse_host(*mountinfo, *self_cgroup);
  const auto found = detect();
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->mode, expected.mode);
  EXPECT_EQ(found->unified.mount_point, expected.unified.mount_point);
  EXPECT_EQ(found->unified.own_path, expected.unified.own_path);
  EXPECT_EQ(found->hierarchies.size(), expected.hierarchies.size());
  for (const auto& hierarchy : expected.hierarchies) {
    const auto* same = found->find(hierarchy.controllers.front());
    ASSERT_NE(same, nullptr) << hierarchy.mount_point;
    EXPECT_EQ(same->mount_point, hierarchy.mount_point);
    EXPECT_EQ(same->own_path, hierarchy.own_path);
    EXPECT_EQ(same->controllers.size(), hierarchy.controllers.size());
  }
}

// What /proc/self/cgroup says, at paths where no hierarchy stands: the mount table is asked.
TEST(DetectHost, OrdinaryDirectoriesAreNoHierarchies) {
  const test::FakeCgroup tree;
  tree.put("proc/self/cgroup", "3:memory:/\n2:name=systemd:/a\n1:,:/x\n0::/\nnonsense\n::\n");
  tree.put("proc/self/mountinfo",
           "1 0 0:1 / / rw - tmpfs t rw\n"
           "2 1 0:2 / /else/where rw - cgroup cgroup rw,memory\n");
  for (const char* name : {"memory", "systemd", "unified"}) {
    tree.put("sys/" + std::string(name) + "/tasks");
  }
  const auto host = detect(tree.root() + "/proc", tree.root() + "/sys");
  ASSERT_TRUE(host.ok());
  ASSERT_EQ(host->hierarchies.size(), 1U);
  EXPECT_EQ(host->hierarchies[0].mount_point, "/else/where");
  EXPECT_EQ(host->mode, Mode::kV1);
  EXPECT_EQ(parse_host("2 1 0:2 / /m rw - cgroup cgroup rw,memory\n", "1:,:/x\n2:memory:/y\n")
                .find("memory")
                ->own_path,
            "/y");
}

TEST(HierarchyDirectory, MountedSubtreeIsNotRepeated) {
  Hierarchy inside;
  inside.mount_point = "/sys/fs/cgroup/memory";
  inside.mount_root = "/docker/abc";
  EXPECT_EQ(inside.directory("/docker/abc/child"), "/sys/fs/cgroup/memory/child");
  EXPECT_EQ(inside.directory("/docker/abcd"), "/sys/fs/cgroup/memory/docker/abcd");
  EXPECT_EQ(inside.directory("/other"), "/sys/fs/cgroup/memory/other");
}

TEST(Detect, FindsThisHost) {
  const auto host = detect();
  ASSERT_TRUE(host.ok());
  for (const auto& hierarchy : host->hierarchies) EXPECT_FALSE(hierarchy.mount_point.empty());
}

TEST(Text, RangeLists) {
  EXPECT_EQ(range_list("0-2,7\n"), (std::vector<std::uint16_t>{0, 1, 2, 7}));
  EXPECT_EQ(range_list(""), std::vector<std::uint16_t>{});
  EXPECT_FALSE(range_list("2-1").has_value());
  EXPECT_FALSE(range_list("a").has_value());
  EXPECT_FALSE(range_list("0-99999999999").has_value());
}

TEST(Text, PartsOneByOne) {
  const auto parts_of = [](std::string_view text) {
    std::vector<std::string> parts;
    for (std::string_view part; next_part(text, ',', part);) parts.emplace_back(part);
    EXPECT_TRUE(text.empty());
    return parts;
  };
  using Parts = std::vector<std::string>;
  EXPECT_EQ(parts_of(""), Parts{});
  EXPECT_EQ(parts_of(",,"), Parts{});
  EXPECT_EQ(parts_of("a"), Parts{"a"});
  EXPECT_EQ(parts_of(",a,,bc,"), (Parts{"a", "bc"}));
  EXPECT_EQ(parts_of("a,b"), (Parts{"a", "b"}));
}

TEST(Text, JoinedPaths) {
  EXPECT_EQ(join_path("/a", "/b/c"), "/a/b/c");
  EXPECT_EQ(join_path("/a", "b"), "/a/b");
  EXPECT_EQ(join_path("", ""), "/");
  EXPECT_EQ(join_path("", "a"), "/a");
  EXPECT_EQ(join_path("/", "/"), "/");
  EXPECT_EQ(join_path("/.", "./"), "/");
  EXPECT_EQ(join_path("/a", "/"), "/a");
  EXPECT_EQ(join_path("/a/", ""), "/a");
  EXPECT_EQ(join_path("//a", "//b"), "/a/b");
  EXPECT_EQ(join_path("/a//b", "/c"), "/a/b/c");
  EXPECT_EQ(join_path("/a/./b", "/c/."), "/a/b/c");
  EXPECT_EQ(join_path("/.a/..b", "/.../c"), "/.a/..b/.../c");
  EXPECT_EQ(join_path("/a", "/../b"), "/a/../b") << "as the kernel names what is outside";
}

TEST(Text, PathsNeverClimb) {
  EXPECT_EQ(join_path("/a/", "//b/./c/"), "/a/b/c");
  EXPECT_EQ(join_path("/", ""), "/");
  EXPECT_EQ(parent_path("/a"), "/");
  EXPECT_TRUE(check_path("/a/..b/c", "f").ok());
  EXPECT_FALSE(check_path("/a/../b", "f").ok());
  EXPECT_FALSE(check_path(std::string_view("a\0b", 3), "f").ok());
}

}  // namespace
}  // namespace langsbx::cgroup
