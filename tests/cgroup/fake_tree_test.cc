// create, apply, update, destroy on directories that only look like cgroups.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/tree.h"
#include "runtime/cgroup/v2/enable.h"
#include "runtime/cgroup/write_values.h"
#include "tests/support/fake_cgroup.h"

namespace langsbx::cgroup {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FakeTree : public ::testing::Test {
 protected:
  [[nodiscard]] Host v2_host() const {
    Host host;
    host.mode = Mode::kV2;
    host.unified.mount_point = tree_.root();
    return host;
  }
  [[nodiscard]] Host v1_host() const {
    Host host;
    host.mode = Mode::kV1;
    for (const char* name : {"memory", "freezer", "devices"}) {
      Hierarchy hierarchy;
      hierarchy.controllers = {name};
      hierarchy.mount_point = tree_.root() + "/" + name;
      host.hierarchies.push_back(hierarchy);
      tree_.put(std::string(name) + "/cgroup.procs");
    }
    return host;
  }
  static Plan planned(const oci::Resources& resources, const Host& host) {
    Config config;
    config.id = "c";
    config.path = "/pod/c";
    config.resources = &resources;
    auto result = plan(config, host);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
    result->device_program.clear();  // no kernel here takes it
    std::erase_if(result->writes, [](const Write& write) { return write.controller == "devices"; });
    return result.release_value();
  }
  test::FakeCgroup tree_;
};

TEST_F(FakeTree, V2LimitsReachTheirFiles) {
  tree_.put("cgroup.controllers", "memory pids\n");
  tree_.put("cgroup.subtree_control");
  tree_.put("pod/cgroup.subtree_control");
  tree_.put("pod/c/cgroup.controllers", "memory pids\n");
  tree_.put("pod/c/cgroup.procs");
  for (const char* file : {"memory.max", "memory.swap.max", "pids.max"}) {
    tree_.put(std::string("pod/c/") + file);
  }
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = 512 << 10;
  resources.memory->swap = 1 << 20;
  resources.pids_limit = 1;
  auto made = create(planned(resources, v2_host()));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_GE(made->clone_fd(), 0);
  EXPECT_EQ(tree_.get("pod/c/memory.max"), "");  // not before apply
  ASSERT_TRUE(made->apply().ok());
  EXPECT_EQ(tree_.get("pod/c/memory.max"), "524288");
  EXPECT_EQ(tree_.get("pod/c/memory.swap.max"), "524288");
  EXPECT_EQ(tree_.get("pod/c/pids.max"), "1");
  EXPECT_EQ(tree_.get("cgroup.subtree_control"), "");  // everything was enabled already
  ASSERT_TRUE(made->add_process(1234).ok());
  EXPECT_EQ(tree_.get("pod/c/cgroup.procs"), "1234");
}

TEST_F(FakeTree, ErrorsNameFieldAndFile) {
  tree_.put("cgroup.controllers", "pids\n");
  tree_.put("pod/c/cgroup.controllers", "pids\n");
  oci::Resources resources;
  resources.pids_limit = 1;
  auto made = create(planned(resources, v2_host()));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const auto applied = made->apply();
  ASSERT_FALSE(applied.ok());
  EXPECT_THAT(applied.error().to_string(),
              ::testing::MatchesRegex("linux.resources.pids.limit: open .*/pod/c/pids.max: no such "
                                      "file or directory"));
}

TEST_F(FakeTree, ControllerThatIsNowhereIsNamed) {
  tree_.put("cgroup.controllers", "pids\n");
  tree_.put("cgroup.subtree_control");
  tree_.put("pod/c/cgroup.controllers", "pids\n");
  tree_.put("pod/c/cgroup.procs");
  oci::Resources resources;
  resources.hugepage_limits.push_back({"2MB", 0});
  const auto made = create(planned(resources, v2_host()));
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message, HasSubstr("controller \"hugetlb\" is not available"));
  EXPECT_THAT(tree_.get("cgroup.subtree_control"), HasSubstr("+hugetlb"));  // it was tried
}

TEST_F(FakeTree, InhabitedCgroupIsRefused) {
  tree_.put("pod/c/cgroup.procs", "77\n78\n");
  const auto made = create(planned({}, v2_host()));
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message, HasSubstr("container's cgroup is not empty: 2 process(es)"));
  EXPECT_TRUE(tree_.has("pod/c"));
}

TEST_F(FakeTree, UncommittedDirectoriesGoCommittedStay) {
  const Host host = v1_host();
  {
    auto made = create(planned({}, host));
    ASSERT_TRUE(made.ok()) << made.error().to_string();
    EXPECT_TRUE(tree_.has("freezer/pod/c"));
    EXPECT_EQ(made->clone_fd(), -1);
  }
  EXPECT_FALSE(tree_.has("freezer/pod"));
  EXPECT_FALSE(tree_.has("memory/pod"));
  Record record;
  {
    auto made = create(planned({}, host));
    ASSERT_TRUE(made.ok());
    made->commit();
    record = made->record();
  }
  EXPECT_TRUE(tree_.has("freezer/pod/c"));
  auto opened = open(record);
  ASSERT_TRUE(opened->destroy().ok());
  EXPECT_FALSE(tree_.has("freezer/pod/c"));
  EXPECT_TRUE(tree_.has("freezer/pod"));  // a parent may be someone else's
  EXPECT_TRUE(opened->destroy().ok());    // again: nothing to do
}

TEST_F(FakeTree, HierarchiesThatCanBeDoneWithoutLeaveTheRecord) {
  Host host = v1_host();
  for (auto& hierarchy : host.hierarchies) {
    if (!hierarchy.has("devices"))
      hierarchy.mount_point = "/sys";  // nobody may make anything there
  }
  auto plan = planned({}, host);
  plan.rootless = true;
  auto group = cgroup::planned(std::move(plan));
  EXPECT_EQ(group.record().placements.size(), 3U);
  ASSERT_TRUE(group.make().ok());
  ASSERT_EQ(group.record().placements.size(), 1U);
  EXPECT_TRUE(group.record().placements[0].has("devices"));
  oci::Resources limited;
  limited.memory.emplace();
  limited.memory->limit = 1 << 20;
  plan = planned(limited, host);
  plan.rootless = true;
  EXPECT_FALSE(create(std::move(plan)).ok()) << "memory can't be limited there";
}

TEST_F(FakeTree, AllHierarchiesDoneWithoutIsNoCgroup) {
  Host host = v1_host();
  for (auto& hierarchy : host.hierarchies) hierarchy.mount_point = "/sys";
  auto plan = planned({}, host);
  plan.rootless = true;
  const auto made = create(std::move(plan));
  ASSERT_TRUE(made.ok());
  EXPECT_FALSE(made->exists());
}

// No file stays open where another process may be made.
TEST_F(FakeTree, UsedFilesAreClosed) {
  const auto open_files = [] {
    const auto list = std::filesystem::directory_iterator("/proc/self/fd");
    return std::distance(begin(list), end(list));
  };
  const auto before = open_files();
  tree_.put("memory/pod/c/memory.limit_in_bytes");
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = 1 << 20;
  auto group = create(planned(resources, v1_host()));
  ASSERT_TRUE(group.ok());
  ASSERT_TRUE(group->apply().ok());
  EXPECT_EQ(open_files(), before);
  auto beside = cgroup::planned(planned(resources, v1_host()));
  ASSERT_TRUE(beside.make_beside_init().ok());
  ASSERT_TRUE(beside.apply().ok());
  EXPECT_EQ(open_files(), before + 1);
  beside.commit();
  EXPECT_EQ(open_files(), before);
}

TEST_F(FakeTree, PlannedRecordCleansUpAfterAKilledCreate) {
  const auto planned_group = planned({}, v1_host());
  const Record record = planned_record(planned_group);
  EXPECT_TRUE(open(record)->destroy().ok());  // killed before anything was made
  auto made = create(planned_group);
  ASSERT_TRUE(made.ok());
  made->commit();
  EXPECT_EQ(made->record().placements.size(), record.placements.size());
  EXPECT_TRUE(tree_.has("memory/pod/c"));
  EXPECT_TRUE(open(record)->destroy().ok());
  EXPECT_FALSE(tree_.has("memory/pod/c"));
}

TEST_F(FakeTree, UpdateReadsTheHalfThatIsNotGiven) {
  tree_.put("pod/c/cgroup.controllers", "memory cpu\n");
  tree_.put("pod/c/memory.max", "1000\n");
  tree_.put("pod/c/memory.swap.max", "max\n");
  tree_.put("pod/c/cpu.max", "20000 100000\n");
  Record record;
  record.mode = Mode::kV2;
  record.placements.push_back({{}, tree_.root(), tree_.root() + "/pod/c"});
  auto group = open(record);
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->swap = 1500;
  resources.cpu.emplace();
  resources.cpu->period = 50000;
  resources.devices.push_back({false, "", {}, {}, "rwm"});
  const auto updated = group->update(resources);
  ASSERT_TRUE(updated.ok()) << updated.error().to_string();
  // Plain files keep what is behind the written bytes; cgroup files take each write as a whole.
  EXPECT_EQ(tree_.get("pod/c/memory.swap.max"), "500\n");
  EXPECT_EQ(tree_.get("pod/c/cpu.max"), "20000 500000\n");
}

TEST_F(FakeTree, CheckBeforeUpdate) {
  tree_.put("pod/c/memory.current", "2000\n");
  tree_.put("pod/c/memory.max", "max\n");
  Record record;
  record.mode = Mode::kV2;
  record.placements.push_back({{}, tree_.root(), tree_.root() + "/pod/c"});
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = 1000;
  resources.memory->check_before_update = true;
  const auto refused = open(record)->update(resources);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("current usage of 2000"));
  EXPECT_EQ(tree_.get("pod/c/memory.max"), "max\n");
}

TEST_F(FakeTree, ContainerWithoutCgroup) {
  auto none = open(Record{});
  EXPECT_FALSE(none->exists());
  EXPECT_FALSE(none->pids().ok());
  EXPECT_FALSE(none->kill_all().ok());
  EXPECT_FALSE(*none->is_frozen());
  EXPECT_FALSE(*none->has_oom_killed());
  EXPECT_TRUE(none->destroy().ok());
  EXPECT_TRUE(none->update({}).ok());
  oci::Resources limited;
  limited.pids_limit = 1;
  EXPECT_FALSE(none->update(limited).ok());
}

TEST_F(FakeTree, OtherFileWhereTheFirstIsMissing) {
  tree_.put("c/io.weight");
  const std::vector<Placement> placements = {{{}, tree_.root(), tree_.root() + "/c"}};
  Write weight{.controller = "io", .file = "io.bfq.weight", .value = "200", .field = "f"};
  weight.other_file = "io.weight";
  weight.other_value = "default 1920";
  Write missing{.controller = "io", .file = "nothing", .value = "1", .field = "f"};
  missing.missing_ok = true;
  Write tried{.controller = "io", .file = "nothing", .value = "1", .field = "the field"};
  tried.best_effort = true;
  std::vector<std::string> warnings;
  UsedFiles used;
  ASSERT_TRUE(write_values({weight, missing, tried}, placements, warnings, used).ok());
  EXPECT_EQ(tree_.get("c/io.weight"), "default 1920");
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("the field: ")));
}

TEST_F(FakeTree, WalkSurvivesDepthAndRemovesAll) {
  // Deeper than PATH_MAX allows as one path, as a container with a cgroup namespace can make it.
  tree_.put("top/cgroup.procs");
  const std::string top = tree_.root() + "/deep";
  ASSERT_EQ(::mkdir(top.c_str(), 0755), 0);
  int level = ::open(top.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::string name(200, 'd');
  for (int depth = 0; depth < 60; ++depth) {
    ASSERT_EQ(::mkdirat(level, name.c_str(), 0755), 0);
    const int next = ::openat(level, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ::close(level);
    level = next;
  }
  ::close(level);
  EXPECT_TRUE(processes_below(top).ok());
  Root root;
  EXPECT_TRUE(remove_tree(root, top, std::chrono::milliseconds(0)).ok());
  EXPECT_FALSE(tree_.has("deep"));
}

TEST_F(FakeTree, ProcessesAreCollectedFromAllLevels) {
  tree_.put("c/cgroup.procs", "30\n10\n");
  tree_.put("c/x/cgroup.procs", "20\n10\n0\n");
  tree_.put("c/x/y/cgroup.procs", "5\n");
  EXPECT_THAT(*processes_below(tree_.root() + "/c"), ElementsAre(5, 10, 20, 30));
  EXPECT_EQ(processes_below(tree_.root() + "/none").error().kind, ErrorKind::kNotFound);
}

TEST_F(FakeTree, ThreadedParentIsSettledOrRefused) {
  tree_.put("t/c/cgroup.type", "domain invalid\n");
  const std::string directory = tree_.root() + "/t/c";
  const std::vector<RequiredController> threaded = {{"cpu", "cpu.shares"}, {"pids", "pids.limit"}};
  UsedFiles used;
  EXPECT_TRUE(v2::settle_type(tree_.root(), directory, threaded, used).ok());
  EXPECT_THAT(tree_.get("t/c/cgroup.type"), HasSubstr("threaded"));
  tree_.put("t/c/cgroup.type", "domain invalid\n");
  const std::vector<RequiredController> domain = {{"memory", "memory.limit"}};
  const auto refused = v2::settle_type(tree_.root(), directory, domain, used);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("memory.limit: controller \"memory\""));
  EXPECT_THAT(refused.error().message, HasSubstr("domain invalid"));
}

TEST_F(FakeTree, SubGroupsForExec) {
  tree_.put("freezer/c/in/cgroup.procs");
  tree_.put("memory/c/cgroup.procs");
  Record record;
  record.mode = Mode::kV1;
  for (const char* name : {"freezer", "memory"}) {
    const std::string mount = tree_.root() + "/" + name;
    record.placements.push_back({{name}, mount, mount + "/c"});
  }
  auto group = open(record);
  const auto sub = group->sub_group({"freezer:in"});
  ASSERT_TRUE(sub.ok()) << sub.error().to_string();
  EXPECT_THAT(sub->record().placements[0].directory, HasSubstr("/freezer/c/in"));
  const auto some = group->sub_group({"in"});  // memory has no such directory and stays
  ASSERT_TRUE(some.ok()) << some.error().to_string();
  EXPECT_THAT(some->record().placements[1].directory, ::testing::EndsWith("/memory/c"));
  EXPECT_FALSE(group->sub_group({"nowhere"}).ok());
  EXPECT_FALSE(group->sub_group({"freezer:../x"}).ok());
  EXPECT_FALSE(group->sub_group({"pids:in"}).ok());
}

}  // namespace
}  // namespace langsbx::cgroup
