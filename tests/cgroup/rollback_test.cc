// What update() changed comes back when a later file refuses.
#include "runtime/cgroup/rollback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/cgroup/cgroup.h"
#include "tests/support/fake_cgroup.h"

namespace langsbx::cgroup {
namespace {

Write write_of(const char* controller, const char* file, const char* value) {
  Write write;
  write.controller = controller;
  write.file = file;
  write.value = value;
  return write;
}

class RollbackTest : public ::testing::Test {
 protected:
  // What the files hold after they were remembered, changed and restored.
  std::string restored(const Write& write, const std::string& before) {
    const std::string path = write.controller + "/c/" + write.file;
    tree_.put(path, before);
    const std::vector<Placement> placements = {{{write.controller},
                                                tree_.root() + "/" + write.controller,
                                                tree_.root() + "/" + write.controller + "/c"}};
    Rollback rollback;
    rollback.remember({write}, placements);
    tree_.put(path);  // a pretended file keeps what a shorter write leaves
    EXPECT_TRUE(rollback.restore().empty());
    return tree_.get(path);
  }
  test::FakeCgroup tree_;
};

TEST_F(RollbackTest, BringsBackNumbersAndLines) {
  EXPECT_EQ(restored(write_of("memory", "memory.limit_in_bytes", "1"), "67108864\n"), "67108864");
  EXPECT_EQ(restored(write_of("cpuset", "cpuset.cpus", "0"), "\n"), "\n")
      << "an empty list is a line";
  EXPECT_EQ(restored(write_of("memory", "memory.oom_control", "1"),
                     "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n"),
            "0");
}

TEST_F(RollbackTest, TakesAwayLimitsOfDevicesThatHadNone) {
  const auto throttle = write_of("blkio", "blkio.throttle.read_bps_device", "8:0 1000");
  EXPECT_EQ(restored(throttle, "8:16 7\n"), "8:0 0");
  EXPECT_EQ(restored(throttle, "8:16 7\n8:0 55\n"), "8:0 55");
  EXPECT_EQ(restored(write_of("io", "io.max", "8:0 rbps=1"), ""),
            "8:0 rbps=max wbps=max riops=max wiops=max");
}

TEST_F(RollbackTest, NamesTheFilesThatRefuse) {
  tree_.put("pids/c/pids.max", "max\n");
  const std::vector<Placement> placements = {
      {{"pids"}, tree_.root() + "/pids", tree_.root() + "/pids/c"}};
  Rollback rollback;
  rollback.remember({write_of("pids", "pids.max", "5")}, placements);
  ASSERT_EQ(::unlink((tree_.root() + "/pids/c/pids.max").c_str()), 0);
  EXPECT_THAT(rollback.restore(), ::testing::ElementsAre(tree_.root() + "/pids/c/pids.max"));
}

TEST_F(RollbackTest, UpdateIsAllOrNothing) {
  tree_.put("c/memory.max", "67108864");
  tree_.put("c/memory.swap.max", "max\n");
  tree_.put("c/pids.max", "50");
  Record record;
  record.mode = Mode::kV2;
  record.placements = {{{}, tree_.root(), tree_.root() + "/c"}};
  auto group = open(record);
  ASSERT_TRUE(group.ok());
  oci::Resources wish;
  wish.memory.emplace();
  wish.memory->limit = 1 << 20;
  wish.pids_limit = 70;
  wish.unified["nosuch.file"] = "1";
  auto updated = group->update(wish);
  ASSERT_FALSE(updated.ok());
  EXPECT_THAT(updated.error().to_string(), ::testing::HasSubstr("nosuch.file"));
  EXPECT_EQ(tree_.get("c/memory.max"), "67108864");
  EXPECT_EQ(tree_.get("c/pids.max"), "50");
  wish.unified.clear();
  ASSERT_TRUE(group->update(wish).ok());
  EXPECT_EQ(tree_.get("c/pids.max"), "70");
}

}  // namespace
}  // namespace langsbx::cgroup
