// The systemd driver against a running systemd. Needs root, systemd, and langsbx-systemd beside
// this executable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/cgroup/systemd/manager.h"
#include "tests/cgroup/live/live_group.h"

namespace langsbx::cgroup {
namespace {

using test::LiveChild;
using test::read_text;
using ::testing::HasSubstr;

class LiveSystemd : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::is_root()) GTEST_SKIP() << "needs root";
    if (::access("/run/systemd/system", F_OK) != 0) GTEST_SKIP() << "systemd is not running";
    if (::access(systemd::helper_path().c_str(), X_OK) != 0) {
      GTEST_SKIP() << "no " << systemd::helper_path();
    }
    host_ = *detect();
  }

  Result<Cgroup> make(const oci::Resources& resources,
                      const std::map<std::string, std::string>& annotations = {}) {
    Config config;
    config.manager = Manager::kSystemd;
    config.id = test::live_name();
    config.resources = &resources;
    config.annotations = &annotations;
    auto planned = plan(config, host_);
    if (!planned.ok()) return planned.release_error();
    return create(planned.release_value());
  }

  [[nodiscard]] const Placement* memory(const Cgroup& group) const {
    for (const auto& placement : group.record().placements) {
      if (placement.controllers.empty() ? host_.mode == Mode::kV2 : placement.has("memory")) {
        return &placement;
      }
    }
    return nullptr;
  }

  Host host_;
};

oci::Resources limits() {
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = 32 << 20;
  resources.pids_limit = 20;
  resources.cpu.emplace();
  resources.cpu->quota = 50000;
  resources.cpu->period = 100000;
  return resources;
}

TEST_F(LiveSystemd, ScopeLivesAndDies) {
  auto group = make(limits(), {{"org.systemd.property.TimeoutStopUSec", "uint64 5000000"}});
  ASSERT_TRUE(group.ok()) << group.error().to_string();
  LiveChild child([] { return 0; });
  const auto joined = group->add_process(child.pid());
  ASSERT_TRUE(joined.ok()) << joined.error().to_string();
  const auto applied = group->apply();
  ASSERT_TRUE(applied.ok()) << applied.error().to_string();
  EXPECT_THAT(child.cgroups(), HasSubstr("/system.slice/langsbx-" + test::live_name() + ".scope"));
  const auto* where = memory(*group);
  ASSERT_NE(where, nullptr);
  const char* file = host_.mode == Mode::kV2 ? "/memory.max" : "/memory.limit_in_bytes";
  EXPECT_EQ(read_text(where->directory + file), "33554432");
  group->commit();

  auto opened = open(group->record());
  ASSERT_TRUE(opened.ok());
  auto change = limits();
  change.memory->limit = 16 << 20;
  const auto updated = opened->update(change);
  ASSERT_TRUE(updated.ok()) << updated.error().to_string();
  EXPECT_EQ(read_text(where->directory + file), "16777216");
  EXPECT_EQ(opened->pids()->size(), 1U);
  ASSERT_TRUE(opened->kill_all().ok());
  EXPECT_EQ(child.wait(), 1000 + SIGKILL);
  const auto destroyed = opened->destroy();
  EXPECT_TRUE(destroyed.ok()) << destroyed.error().to_string();
  EXPECT_TRUE(opened->destroy().ok());
  for (const auto& placement : opened->record().placements) {
    EXPECT_NE(::access(placement.directory.c_str(), F_OK), 0) << placement.directory;
  }
}

TEST_F(LiveSystemd, SubgroupOnV2) {
  if (host_.mode != Mode::kV2) GTEST_SKIP() << "only on cgroup v2";
  auto group = make(limits(), {{"run.oci.systemd.subgroup", "container"}});
  LiveChild child([] { return 0; });
  const auto joined = group->add_process(child.pid());
  ASSERT_TRUE(joined.ok()) << joined.error().to_string();
  ASSERT_TRUE(group->apply().ok());
  EXPECT_THAT(child.cgroups(), HasSubstr(".scope/container"));
  EXPECT_EQ(read_text(group->record().placements[0].directory + "/pids.max"), "20");
  ASSERT_TRUE(group->kill_all().ok());
  child.wait();
  EXPECT_TRUE(group->destroy().ok());
}

TEST_F(LiveSystemd, FailureSaysWhy) {
  auto group = make({}, {{"org.systemd.property.KillMode", "'no-such-mode'"}});
  ASSERT_TRUE(group.ok());
  LiveChild child([] { return 0; });
  const auto joined = group->add_process(child.pid());
  ASSERT_FALSE(joined.ok());
  EXPECT_THAT(joined.error().to_string(), HasSubstr("unable to start unit"));
}

TEST_F(LiveSystemd, UncommittedUnitIsStopped) {
  std::string directory;
  {
    auto group = make(limits());
    LiveChild child([] { return 0; });
    ASSERT_TRUE(group->add_process(child.pid()).ok());
    directory = memory(*group)->directory;
    EXPECT_EQ(::access(directory.c_str(), F_OK), 0);
    Cgroup gone = group.release_value();
  }
  EXPECT_NE(::access(directory.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace langsbx::cgroup
