// cgroup2: CLONE_INTO_CGROUP, cgroup.kill, cgroup.freeze, BPF device programs, and limits where
// the host's controllers are there. Needs root.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "tests/cgroup/live/live_group.h"

namespace langsbx::cgroup {
namespace {

using test::LiveChild;
using test::read_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LiveV2 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::is_root()) GTEST_SKIP() << "needs root";
    if (tree_.host.mode == Mode::kNone) GTEST_SKIP() << "no cgroup2 is mounted";
  }

  Result<Cgroup> make(const oci::Resources& resources, std::optional<Owner> owner = {}) {
    Config config;
    config.id = test::live_name();
    config.path = "/" + config.id;
    config.resources = &resources;
    config.delegate_to = owner;
    auto planned = plan(config, tree_.host);
    if (!planned.ok()) return planned.release_error();
    return create(planned.release_value());
  }

  [[nodiscard]] std::string directory() const {
    return tree_.host.unified.mount_point + "/" + test::live_name();
  }

  void TearDown() override {
    if (!directory().empty()) {
      EXPECT_NE(::access(directory().c_str(), F_OK), 0) << "left behind";
    }
  }

  test::LiveTree tree_;
};

TEST_F(LiveV2, BornInsideAndKilled) {
  auto group = make({});
  ASSERT_TRUE(group.ok()) << group.error().to_string();
  LiveChild child([] { return 0; }, group->clone_fd());
  ASSERT_GT(child.pid(), 0);
  EXPECT_THAT(child.cgroups(), HasSubstr(test::live_name()));
  EXPECT_THAT(*group->pids(), ElementsAre(child.pid()));
  EXPECT_TRUE(group->add_process(child.pid()).ok());  // needless but harmless
  ASSERT_TRUE(group->kill_all().ok());
  EXPECT_EQ(child.wait(), 1000 + SIGKILL);
  EXPECT_TRUE(group->destroy().ok());
}

TEST_F(LiveV2, OtherSignalsReachEveryone) {
  auto group = make({});
  LiveChild one([] { return 0; }, group->clone_fd());
  LiveChild two([] { return 0; }, group->clone_fd());
  ASSERT_TRUE(group->kill_all(SIGTERM).ok());
  EXPECT_EQ(one.wait(), 1000 + SIGTERM);
  EXPECT_EQ(two.wait(), 1000 + SIGTERM);
  EXPECT_FALSE(*group->is_frozen());
}

TEST_F(LiveV2, FreezeAndThaw) {
  auto group = make({});
  LiveChild child([] { return 7; }, group->clone_fd());
  ASSERT_TRUE(group->freeze().ok());
  EXPECT_TRUE(*group->is_frozen());
  child.go();
  EXPECT_EQ(::waitpid(child.pid(), nullptr, WNOHANG), 0);
  ASSERT_TRUE(group->thaw().ok());
  EXPECT_EQ(child.wait(), 7);
  ASSERT_TRUE(group->destroy().ok());
  EXPECT_FALSE(*group->is_frozen());  // gone is not frozen
  EXPECT_TRUE(group->thaw().ok());
}

int open_kmsg() { return ::open("/dev/kmsg", O_RDONLY | O_CLOEXEC) < 0 ? errno : 0; }

TEST_F(LiveV2, DeviceProgramIsEnforcedAndReplaced) {
  if (::access("/dev/kmsg", F_OK) != 0) GTEST_SKIP() << "no /dev/kmsg";
  auto group = make({});
  const auto applied = group->apply();
  ASSERT_TRUE(applied.ok()) << applied.error().to_string();
  const auto answer = [&] {
    LiveChild child([] { return ::open("/dev/null", O_RDWR | O_CLOEXEC) < 0 ? 200 : open_kmsg(); },
                    group->clone_fd());
    child.go();
    return child.wait();
  };
  EXPECT_EQ(answer(), EPERM);
  oci::Resources change;
  change.devices.push_back({true, "c", 1, 11, "r"});
  const auto opened = group->update(change);
  ASSERT_TRUE(opened.ok()) << opened.error().to_string();
  EXPECT_EQ(answer(), 0);
  change.devices[0].access = "w";
  ASSERT_TRUE(group->update(change).ok());
  EXPECT_EQ(answer(), EPERM);
  change.devices = {{true, "a", {}, {}, "rwm"}};
  ASSERT_TRUE(group->update(change).ok());
  EXPECT_EQ(answer(), 0);  // the program is gone
}

TEST_F(LiveV2, DelegationGivesAwayWhatTheKernelLists) {
  auto group = make({}, Owner{.uid = 1234, .gid = 1235});
  ASSERT_TRUE(group->apply().ok());
  for (const char* file : {"", "/cgroup.procs", "/cgroup.subtree_control"}) {
    struct stat status {};
    ASSERT_EQ(::stat((directory() + file).c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 1234U) << file;
    EXPECT_EQ(status.st_gid, 1235U) << file;
  }
  struct stat status {};
  ASSERT_EQ(::stat((directory() + "/cgroup.freeze").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 0U);
}

TEST_F(LiveV2, InhabitedAndNestedGroups) {
  auto group = make({});
  const std::string inner = directory() + "/a";
  ASSERT_EQ(::mkdir(inner.c_str(), 0755), 0);
  ASSERT_EQ(::mkdir((inner + "/b").c_str(), 0755), 0);
  LiveChild child([] { return 0; }, group->clone_fd());
  test::write_text(inner + "/b/cgroup.procs", std::to_string(child.pid()));
  EXPECT_THAT(*group->pids(), ElementsAre(child.pid()));
  const auto where = group->group_of(child.pid());
  if (tree_.has_controllers) {
    ASSERT_TRUE(where.ok()) << where.error().to_string();
    EXPECT_EQ(where->record().placements[0].directory, inner + "/b");
  }
  ASSERT_TRUE(group->kill_all().ok());
  EXPECT_EQ(child.wait(), 1000 + SIGKILL);
  EXPECT_TRUE(group->destroy().ok());
  EXPECT_TRUE(group->destroy().ok());
}

TEST_F(LiveV2, ADyingProcessIsWaitedFor) {
  auto group = make({});
  LiveChild child(
      [] {
        ::usleep(200000);
        return 0;
      },
      group->clone_fd());
  child.go();
  EXPECT_TRUE(group->destroy().ok());  // while it still lives; the exit empties the cgroup
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(LiveV2, LimitsAndOom) {
  if (!tree_.has_controllers) GTEST_SKIP() << "the controllers are in v1 on this host";
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = 8 << 20;
  resources.memory->swap = 8 << 20;
  resources.memory->reservation = 1 << 20;
  resources.pids_limit = 1;
  resources.cpu.emplace();
  resources.cpu->shares = 512;
  resources.cpu->quota = 50000;
  resources.cpu->cpus = "0";
  resources.unified["memory.high"] = "max";
  auto group = make(resources);
  ASSERT_TRUE(group.ok()) << group.error().to_string();
  LiveChild child(
      [] {
        if (::fork() >= 0 || errno != EAGAIN) return 3;
        std::vector<char> large(64 << 20);
        std::memset(large.data(), 1, large.size());
        return large[12345] == 1 ? 0 : 1;
      },
      group->clone_fd());
  const auto applied = group->apply();
  ASSERT_TRUE(applied.ok()) << applied.error().to_string();
  EXPECT_EQ(read_text(directory() + "/memory.max"), "8388608");
  EXPECT_EQ(read_text(directory() + "/memory.swap.max"), "0");
  EXPECT_EQ(read_text(directory() + "/memory.low"), "1048576");
  EXPECT_EQ(read_text(directory() + "/cpu.weight"), "59");
  EXPECT_EQ(read_text(directory() + "/cpu.max"), "50000 100000");
  EXPECT_EQ(read_text(directory() + "/cpuset.cpus"), "0");
  EXPECT_EQ(read_text(directory() + "/pids.max"), "1");
  auto watch = OomWatch::start(group->record());
  ASSERT_TRUE(watch.ok()) << watch.error().to_string();
  child.go();
  EXPECT_EQ(child.wait(), 1000 + SIGKILL);
  pollfd waiting{.fd = watch->fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&waiting, 1, 10000), 1);
  EXPECT_TRUE(*group->has_oom_killed());
  EXPECT_EQ(**watch->take(), 1U);
  EXPECT_FALSE(watch->take()->has_value());  // nobody is left
  EXPECT_EQ(group->stats()->pids.limit, 1U);
  oci::Resources change;
  change.cpu.emplace();
  change.cpu->period = 20000;
  change.memory.emplace();
  change.memory->swap = 16 << 20;
  ASSERT_TRUE(group->update(change).ok());
  EXPECT_EQ(read_text(directory() + "/cpu.max"), "50000 20000");
  EXPECT_EQ(read_text(directory() + "/memory.swap.max"), "8388608");
}

}  // namespace
}  // namespace langsbx::cgroup
