// A process enters by itself, or says that it did not.
#include "runtime/cgroup/entrance.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/support/fake_cgroup.h"

namespace langsbx::cgroup {
namespace {

class EntranceTest : public ::testing::Test {
 protected:
  void add(const std::string& controller, bool unified = false) {
    const std::string mount = tree_.root() + "/" + controller;
    std::vector<std::string> names;
    if (!unified) names.push_back(controller);
    record_.placements.push_back({names, mount, mount + "/box"});
    record_.mode = Mode::kV1;
  }
  bool enters() {
    auto group = cgroup::open(record_);
    EXPECT_TRUE(group.ok());
    return enter(std::move(open_entrance(*group).tasks));
  }
  test::FakeCgroup tree_;
  Record record_;
};

TEST_F(EntranceTest, WritesItselfIntoEveryHierarchy) {
  for (const char* controller : {"memory", "pids"}) {
    add(controller);
    tree_.put(std::string(controller) + "/box/tasks");
  }
  EXPECT_TRUE(enters());
  EXPECT_EQ(tree_.get("memory/box/tasks"), "0");
  EXPECT_EQ(tree_.get("pids/box/tasks"), "0");
}

TEST_F(EntranceTest, OneThatIsMissingLeavesAllToWhoMoves) {
  add("memory");
  add("pids");
  tree_.put("memory/box/tasks");
  EXPECT_FALSE(enters());
  EXPECT_EQ(tree_.get("memory/box/tasks"), "");
}

TEST_F(EntranceTest, WhatWasUsedIsClosedWithIt) {
  add("memory");
  tree_.put("memory/box/tasks");
  for (const char* file : {"memory/box/pids.max", "memory/box/tasks"}) tree_.put(file);
  auto group = cgroup::open(record_);
  ASSERT_TRUE(group.ok());
  auto entrance = open_entrance(*group);
  ASSERT_EQ(entrance.tasks.size(), 1U);
  const int task = entrance.tasks.front().get();
  const int used = *entrance.used.open(tree_.root() + "/memory/box/pids.max", O_WRONLY);
  EXPECT_GE(::fcntl(used, F_GETFD), 0);
  entrance.close();
  EXPECT_LT(::fcntl(used, F_GETFD), 0);
  EXPECT_LT(::fcntl(task, F_GETFD), 0);
  entrance.close();
}

TEST_F(EntranceTest, VersionTwoAndUnitsAreMovedInto) {
  add("memory");
  tree_.put("memory/box/tasks");
  record_.unit = "box.scope";
  EXPECT_FALSE(enters());
  record_.unit.clear();
  add("unified", true);
  EXPECT_FALSE(enters());
  record_.placements.clear();
  EXPECT_FALSE(enters());
  EXPECT_EQ(tree_.get("memory/box/tasks"), "");
}

}  // namespace
}  // namespace langsbx::cgroup
