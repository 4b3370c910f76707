// Without root: no cgroup where none can be had, and units of the user's own systemd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/cgroup/systemd/manager.h"
#include "tests/cgroup/live/live_group.h"

namespace langsbx::cgroup {
namespace {

using test::LiveChild;
using test::read_text;
using ::testing::HasSubstr;

class LiveRootless : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::is_root()) GTEST_SKIP() << "needs a user other than root";
    host_ = *detect();
    if (host_.mode == Mode::kNone) GTEST_SKIP() << "no cgroups";
  }

  Result<Cgroup> make(const oci::Resources& resources, Manager manager, const std::string& path) {
    Config config;
    config.manager = manager;
    config.id = test::live_name();
    config.path = path;
    config.rootless = true;
    config.resources = &resources;
    auto planned = plan(config, host_);
    if (!planned.ok()) return planned.release_error();
    return create(planned.release_value());
  }

  Host host_;
};

oci::Resources limits() {
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = 32 << 20;
  resources.pids_limit = 20;
  return resources;
}

TEST_F(LiveRootless, NoPermissionMeansNoCgroupUnlessLimitsAreAskedFor) {
  const std::string forbidden = "/" + test::live_name();
  auto none = make({}, Manager::kCgroupfs, forbidden);
  ASSERT_TRUE(none.ok()) << none.error().to_string();
  EXPECT_FALSE(none->exists());
  LiveChild child([] { return 0; });
  EXPECT_TRUE(none->add_process(child.pid()).ok());
  EXPECT_TRUE(none->apply().ok());
  EXPECT_TRUE(none->destroy().ok());
  const auto limited = make(limits(), Manager::kCgroupfs, forbidden);
  ASSERT_FALSE(limited.ok());
  EXPECT_THAT(limited.error().to_string(), HasSubstr("permission denied"));
}

TEST_F(LiveRootless, UserScopeWithLimits) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (host_.mode != Mode::kV2 || runtime == nullptr ||
      ::access((std::string(runtime) + "/systemd").c_str(), F_OK) != 0) {
    GTEST_SKIP() << "no systemd of this user on cgroup v2";
  }
  if (::access(systemd::helper_path().c_str(), X_OK) != 0) {
    GTEST_SKIP() << "no " << systemd::helper_path();
  }
  auto group = make(limits(), Manager::kSystemd, "");
  ASSERT_TRUE(group.ok()) << group.error().to_string();
  LiveChild child([] { return 0; });
  const auto joined = group->add_process(child.pid());
  ASSERT_TRUE(joined.ok()) << joined.error().to_string();
  const auto applied = group->apply();
  ASSERT_TRUE(applied.ok()) << applied.error().to_string();
  EXPECT_THAT(child.cgroups(), HasSubstr("/user.slice/langsbx-" + test::live_name() + ".scope"));
  const std::string directory = group->record().placements.at(0).directory;
  EXPECT_EQ(read_text(directory + "/memory.max"), "33554432");
  EXPECT_EQ(read_text(directory + "/pids.max"), "20");
  EXPECT_TRUE(group->freeze().ok());
  EXPECT_TRUE(group->thaw().ok());
  EXPECT_EQ(group->stats()->pids.current, 1U);  // memory is charged only from now on
  ASSERT_TRUE(group->kill_all().ok());
  EXPECT_EQ(child.wait(), 1000 + SIGKILL);
  const auto destroyed = group->destroy();
  EXPECT_TRUE(destroyed.ok()) << destroyed.error().to_string();
  EXPECT_NE(::access(directory.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace langsbx::cgroup
