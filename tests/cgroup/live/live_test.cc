// cgroup v1 and hybrid hosts: limits, freezer, devices, OOM on the real hierarchies. Needs root.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "tests/cgroup/live/live_group.h"

// g++ says it by a macro, clang by a feature.
#if defined(__SANITIZE_ADDRESS__)
#define LANGSBX_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANGSBX_ADDRESS_SANITIZER 1
#endif
#endif

namespace langsbx::cgroup {
namespace {

using test::LiveChild;
using test::read_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LiveV1 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::is_root()) GTEST_SKIP() << "needs root";
    host_ = *detect();
    if (host_.mode != Mode::kV1 && host_.mode != Mode::kHybrid) GTEST_SKIP() << "no cgroup v1";
  }

  Result<Cgroup> make(const oci::Resources& resources) {
    Config config;
    config.id = test::live_name();
    config.path = "/" + config.id + "/c";
    config.resources = &resources;
    auto planned = plan(config, host_);
    if (!planned.ok()) return planned.release_error();
    return create(planned.release_value());
  }

  [[nodiscard]] std::string directory(const std::string& controller) const {
    return host_.find(controller)->mount_point + "/" + test::live_name() + "/c";
  }

  void TearDown() override {
    for (const auto& hierarchy : host_.hierarchies) {
      const std::string parent = hierarchy.mount_point + "/" + test::live_name();
      EXPECT_NE(::access((parent + "/c").c_str(), F_OK), 0) << "left behind: " << parent << "/c";
      ::rmdir(parent.c_str());
    }
    if (!host_.unified.mount_point.empty()) {
      ::rmdir((host_.unified.mount_point + "/" + test::live_name()).c_str());
    }
  }

  Host host_;
};

TEST_F(LiveV1, EveryHierarchyIsJoinedAndLeft) {
  auto group = make({});
  ASSERT_TRUE(group.ok()) << group.error().to_string();
  LiveChild child([] { return 0; });
  const auto joined = group->add_process(child.pid());
  ASSERT_TRUE(joined.ok()) << joined.error().to_string();
  const auto applied = group->apply();
  ASSERT_TRUE(applied.ok()) << applied.error().to_string();
  const std::string lines = child.cgroups();
  for (const auto& hierarchy : host_.hierarchies) {
    EXPECT_THAT(lines, HasSubstr(hierarchy.controllers.back() + ":/" + test::live_name() + "/c"));
  }
  EXPECT_THAT(*group->pids(), ElementsAre(child.pid()));
  ASSERT_TRUE(group->kill_all().ok());
  EXPECT_EQ(child.wait(), 1000 + SIGKILL);
  EXPECT_TRUE(group->destroy().ok());
}

oci::Resources small() {
  oci::Resources resources;
  resources.pids_limit = 1;
  resources.memory.emplace();
  resources.memory->limit = 512 << 10;
  resources.memory->swap = 512 << 10;
  resources.cpu.emplace();
  resources.cpu->shares = 512;
  resources.cpu->quota = 20000;
  resources.cpu->period = 100000;
  resources.cpu->cpus = "0";
  return resources;
}

TEST_F(LiveV1, SmallestContainerStarts) {
#ifdef LANGSBX_ADDRESS_SANITIZER
  GTEST_SKIP() << "the sanitizer's own memory is more than 512 KiB";
#endif
  auto group = make(small());
  ASSERT_TRUE(group.ok()) << group.error().to_string();
  LiveChild child([] {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof(set), &set) != 0 || CPU_COUNT(&set) != 1) return 3;
    return ::fork() < 0 && errno == EAGAIN ? 0 : 4;
  });
  ASSERT_TRUE(group->add_process(child.pid()).ok());
  const auto applied = group->apply();
  ASSERT_TRUE(applied.ok()) << applied.error().to_string();
  EXPECT_EQ(read_text(directory("pids") + "/pids.max"), "1");
  EXPECT_EQ(read_text(directory("memory") + "/memory.limit_in_bytes"), "524288");
  EXPECT_EQ(read_text(directory("cpu") + "/cpu.cfs_quota_us"), "20000");
  EXPECT_EQ(read_text(directory("cpuset") + "/cpuset.cpus"), "0");
  EXPECT_TRUE(reset_affinity(child.pid()).ok());
  child.go();
  EXPECT_EQ(child.wait(), 0);
  EXPECT_TRUE(group->destroy().ok());
}

TEST_F(LiveV1, UpdateRaisesAndLowersInAnyOrder) {
  auto group = make(small());
  ASSERT_TRUE(group.ok());
  ASSERT_TRUE(group->apply().ok());
  oci::Resources change;
  change.memory.emplace();
  change.cpu.emplace();
  const std::pair<std::int64_t, std::int64_t> steps[] = {
      {64 << 20, 128 << 20}, {1 << 20, 1 << 20}, {-1, 0}, {8 << 20, 8 << 20}};
  for (const auto& [limit, swap] : steps) {
    change.memory->limit = limit;
    change.memory->swap = swap;
    const auto updated = group->update(change);
    EXPECT_TRUE(updated.ok()) << limit << ": " << updated.error().to_string();
  }
  change = {};
  change.cpu.emplace();
  for (const std::uint64_t period : {1000U, 1000000U, 50000U}) {
    change.cpu->period = period;
    change.cpu->quota = static_cast<std::int64_t>(period / 2 < 1000 ? 1000 : period / 2);
    change.cpu->burst = 500;
    const auto updated = group->update(change);
    EXPECT_TRUE(updated.ok()) << period << ": " << updated.error().to_string();
  }
  EXPECT_EQ(read_text(directory("cpu") + "/cpu.cfs_period_us"), "50000");
  EXPECT_EQ(read_text(directory("memory") + "/memory.memsw.limit_in_bytes"), "8388608");
  EXPECT_TRUE(group->destroy().ok());
}

TEST_F(LiveV1, DevicesOutsideTheListAreDenied) {
  if (::access("/dev/kmsg", F_OK) != 0) GTEST_SKIP() << "no /dev/kmsg";
  auto group = make({});
  LiveChild child([] {
    if (::open("/dev/null", O_RDWR | O_CLOEXEC) < 0) return 2;
    return ::open("/dev/kmsg", O_RDONLY | O_CLOEXEC) < 0 ? errno : 0;
  });
  ASSERT_TRUE(group->add_process(child.pid()).ok());
  ASSERT_TRUE(group->apply().ok());
  child.go();
  EXPECT_EQ(child.wait(), EPERM);
}

TEST_F(LiveV1, FreezeHoldsAndKillEndsTheFrozen) {
  auto group = make({});
  LiveChild child([] { return 7; });
  ASSERT_TRUE(group->add_process(child.pid()).ok());
  EXPECT_FALSE(*group->is_frozen());
  ASSERT_TRUE(group->freeze().ok());
  EXPECT_TRUE(*group->is_frozen());
  child.go();
  EXPECT_EQ(::waitpid(child.pid(), nullptr, WNOHANG), 0);
  ASSERT_TRUE(group->thaw().ok());
  EXPECT_EQ(child.wait(), 7);
  LiveChild second([] { return 0; });
  ASSERT_TRUE(group->add_process(second.pid()).ok());
  ASSERT_TRUE(group->freeze().ok());
  ASSERT_TRUE(group->kill_all().ok());
  EXPECT_EQ(second.wait(), 1000 + SIGKILL);
}

TEST_F(LiveV1, OomIsSeen) {
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = 4 << 20;
  resources.memory->swap = 4 << 20;
  auto group = make(resources);
  LiveChild child([] {
    std::vector<char> large(64 << 20);
    std::memset(large.data(), 1, large.size());
    return large[12345] == 1 ? 0 : 1;
  });
  ASSERT_TRUE(group->add_process(child.pid()).ok());
  ASSERT_TRUE(group->apply().ok());
  auto watch = OomWatch::start(group->record());
  ASSERT_TRUE(watch.ok()) << watch.error().to_string();
  EXPECT_FALSE(*group->has_oom_killed());
  child.go();
  EXPECT_EQ(child.wait(), 1000 + SIGKILL);
  pollfd waiting{.fd = watch->fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&waiting, 1, 5000), 1);
  const auto events = watch->take();
  ASSERT_TRUE(events.ok() && events->has_value());
  EXPECT_GT(**events, 0U);
  EXPECT_TRUE(*group->has_oom_killed());
  EXPECT_GT(group->stats()->memory.usage.max, 0U);
  ASSERT_TRUE(group->destroy().ok());
  EXPECT_EQ(::poll(&waiting, 1, 5000), 1);
  EXPECT_FALSE(watch->take()->has_value());
}

TEST_F(LiveV1, SubGroupsOfTheContainerGoWithIt) {
  auto group = make({});
  const std::string inner = directory("freezer") + "/inner";
  ASSERT_EQ(::mkdir(inner.c_str(), 0755), 0);
  LiveChild child([] { return 0; });
  test::write_text(inner + "/cgroup.procs", std::to_string(child.pid()));
  if (host_.mode == Mode::kV1) {
    EXPECT_THAT(*group->pids(), ElementsAre(child.pid()));
  }
  child.go();
  EXPECT_EQ(child.wait(), 0);
  EXPECT_TRUE(group->destroy().ok());
}

}  // namespace
}  // namespace langsbx::cgroup
