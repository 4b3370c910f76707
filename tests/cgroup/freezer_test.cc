// The freezers, and what kill does to processes that one of them holds.
#include "runtime/cgroup/freezer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "runtime/cgroup/cgroup.h"
#include "tests/support/fake_cgroup.h"

namespace langsbx::cgroup {
namespace {

using ::testing::HasSubstr;

class Freezer : public ::testing::Test {
 protected:
  // A container's cgroup on a host without the unified hierarchy.
  Cgroup pure_v1() const {
    Host host;
    host.mode = Mode::kV1;
    for (const char* name : {"memory", "freezer", "devices"}) {
      Hierarchy hierarchy;
      hierarchy.controllers = {name};
      hierarchy.mount_point = tree_.root() + "/" + name;
      host.hierarchies.push_back(hierarchy);
      tree_.put(std::string(name) + "/cgroup.procs");
    }
    oci::Resources none;
    Config config;
    config.id = "c";
    config.path = "/c";
    config.resources = &none;
    auto planned = plan(config, host);
    EXPECT_TRUE(planned.ok()) << (planned.ok() ? "" : planned.error().to_string());
    auto& all = planned->writes;
    std::erase_if(all, [](const Write& write) { return write.controller == "devices"; });
    planned->device_program.clear();
    auto made = create(planned.release_value());
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().to_string());
    made->commit();  // the tree's end takes the directories along
    return made.release_value();
  }
  test::FakeCgroup tree_;
};

TEST_F(Freezer, FreezingCountsAsFrozen) {
  tree_.put("c/freezer.state", "THAWED\n");
  EXPECT_FALSE(v1::is_frozen(tree_.root() + "/c").value_or(true));
  for (const char* state : {"FREEZING\n", "FROZEN\n"}) {
    tree_.put("c/freezer.state", state);
    EXPECT_TRUE(v1::is_frozen(tree_.root() + "/c").value_or(false)) << state;
  }
}

TEST_F(Freezer, WhatIsGoneIsNotFrozen) {
  EXPECT_FALSE(v1::is_frozen(tree_.root() + "/gone").value_or(true));
  EXPECT_FALSE(v2::is_frozen(tree_.root() + "/gone").value_or(true));
  EXPECT_TRUE(v2::thaw(tree_.root() + "/gone").ok());
  EXPECT_FALSE(v1::thaw(tree_.root() + "/gone").ok());
}

// A child that waits for good, in the process lists of the cgroup.
pid_t start_member(const test::FakeCgroup& tree) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  for (const char* name : {"memory", "freezer", "devices"}) {
    tree.put(std::string(name) + "/c/cgroup.procs", std::to_string(child) + "\n");
  }
  return child;
}

TEST_F(Freezer, KillLetsAPausedContainerGo) {
  auto group = pure_v1();
  for (const char* state : {"FROZEN\n", "FREEZING\n"}) {
    const pid_t child = start_member(tree_);
    tree_.put("freezer/c/freezer.state", state);
    const auto killed = group.kill_all(SIGKILL);
    ASSERT_TRUE(killed.ok()) << killed.error().to_string();
    EXPECT_THAT(tree_.get("freezer/c/freezer.state"), HasSubstr("THAWED")) << state;
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }
}

TEST_F(Freezer, OtherSignalsLeaveAPausedContainerPaused) {
  auto group = pure_v1();
  const pid_t child = start_member(tree_);
  tree_.put("freezer/c/freezer.state", "FROZEN");
  ASSERT_TRUE(group.kill_all(SIGTERM).ok());
  EXPECT_EQ(tree_.get("freezer/c/freezer.state"), "FROZEN");
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
}

}  // namespace
}  // namespace langsbx::cgroup
