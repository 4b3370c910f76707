// Starting a systemd unit, with a script in the place of the program that talks to systemd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/systemd/manager.h"
#include "tests/support/fake_cgroup.h"

namespace langsbx::cgroup {
namespace {

using ::testing::HasSubstr;

class UnitStart : public ::testing::Test {
 protected:
  void SetUp() override {
    helper_ = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "langsbx-systemd";
    std::ofstream(helper_) << "#!/bin/sh\ncat > /dev/null\necho /system.slice/langsbx-c.scope\n";
    std::filesystem::permissions(helper_, std::filesystem::perms::owner_all);
    tree_.put("cgroup.controllers");
    tree_.put("cgroup.subtree_control");
    for (const char* file : {"cgroup.procs", "cgroup.controllers", "cgroup.subtree_control"}) {
      tree_.put(unit_ + file);
    }
  }
  void TearDown() override { std::filesystem::remove(helper_); }

  Result<void> joined(const std::string& subgroup) {
    if (!subgroup.empty()) annotations_["run.oci.systemd.subgroup"] = subgroup;
    Host host;
    host.mode = Mode::kV2;
    host.unified.mount_point = tree_.root();
    Config config;
    config.manager = Manager::kSystemd;
    config.id = "c";
    config.path = "system.slice:langsbx:c";
    config.resources = &resources_;
    config.annotations = &annotations_;
    auto made = create(TRY(plan(config, host)));
    if (!made.ok()) return made.release_error();
    return made->add_process(1234);
  }
  std::string refusal(const std::string& subgroup = {}) {
    const auto result = joined(subgroup);
    return result.ok() ? "ok" : result.error().to_string();
  }

  const std::string unit_ = "system.slice/langsbx-c.scope/";
  test::FakeCgroup tree_;
  std::filesystem::path helper_;
  oci::Resources resources_;
  std::map<std::string, std::string> annotations_;
};

TEST_F(UnitStart, TheHelperBesideTheBinaryIsTaken) {
  EXPECT_EQ(systemd::helper_path(), helper_.string());
  EXPECT_EQ(refusal(), "ok");
}

// systemd would move init into what is there already. Frozen, init would never answer: it is
// refused before systemd is asked, and stays frozen.
TEST_F(UnitStart, AFrozenCgroupIsRefusedAndLeft) {
  tree_.put(unit_ + "cgroup.freeze", "1");
  EXPECT_THAT(refusal(), HasSubstr("container's cgroup unexpectedly frozen: " + tree_.root()));
  EXPECT_EQ(tree_.get(unit_ + "cgroup.freeze"), "1");
}

TEST_F(UnitStart, SoIsAFrozenUnitAboveTheSubgroup) {
  tree_.put(unit_ + "cgroup.freeze", "1");
  EXPECT_THAT(refusal("container"), HasSubstr("container's cgroup unexpectedly frozen"));
  EXPECT_EQ(tree_.get(unit_ + "cgroup.freeze"), "1");
}

// The unit is started by then: thawed, its process can end.
TEST_F(UnitStart, AndAFrozenSubgroup) {
  tree_.put(unit_ + "container/cgroup.procs");
  tree_.put(unit_ + "container/cgroup.freeze", "1");
  EXPECT_THAT(refusal("container"), HasSubstr("container's cgroup unexpectedly frozen"));
  EXPECT_EQ(tree_.get(unit_ + "container/cgroup.freeze"), "0");
}

}  // namespace
}  // namespace langsbx::cgroup
