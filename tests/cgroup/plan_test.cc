// From config and host to paths, files and values.
#include "runtime/cgroup/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/cgroup/plan_writes.h"

namespace langsbx::cgroup {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Host v2_host(const std::string& own = "/user.slice/session.scope") {
  Host host;
  host.mode = Mode::kV2;
  host.unified.mount_point = "/sys/fs/cgroup";
  host.unified.own_path = own;
  return host;
}

Host v1_host(Mode mode = Mode::kV1) {
  Host host;
  host.mode = mode;
  for (const char* name : {"memory", "cpu", "cpuset", "pids", "blkio", "devices", "freezer"}) {
    Hierarchy hierarchy;
    hierarchy.controllers = {name};
    hierarchy.mount_point = std::string("/sys/fs/cgroup/") + name;
    hierarchy.own_path = "/me";
    host.hierarchies.push_back(hierarchy);
  }
  if (mode == Mode::kHybrid) host.unified.mount_point = "/sys/fs/cgroup/unified";
  return host;
}

std::vector<std::string> texts(const std::vector<Write>& writes) {
  std::vector<std::string> result;
  for (const auto& write : writes) {
    if (write.controller != "devices") result.push_back(write.file + "=" + write.value);
  }
  return result;
}

Plan planned(const oci::Resources& resources, const Host& host, const std::string& path = "/c/x") {
  Config config;
  config.id = "x";
  config.path = path;
  config.resources = &resources;
  auto result = plan(config, host);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
  return result.ok() ? *result : Plan{};
}

std::string refusal(const oci::Resources& resources, const Host& host,
                    const std::string& path = "/c/x") {
  Config config;
  config.id = "x";
  config.path = path;
  config.resources = &resources;
  const auto result = plan(config, host);
  return result.ok() ? "accepted" : result.error().message;
}

TEST(PlanPaths, AbsoluteIsUnderTheMount) {
  EXPECT_EQ(planned({}, v2_host()).placements.at(0).directory, "/sys/fs/cgroup/c/x");
  const auto v1 = planned({}, v1_host(Mode::kHybrid));
  ASSERT_EQ(v1.placements.size(), 8U);  // every hierarchy and the unified one
  EXPECT_EQ(v1.placements[0].directory, "/sys/fs/cgroup/memory/c/x");
  EXPECT_EQ(v1.placements[7].directory, "/sys/fs/cgroup/unified/c/x");
}

TEST(PlanPaths, RelativeIsBelowOwnOnV1AndBesideOwnOnV2) {
  EXPECT_EQ(planned({}, v1_host(), "a/b").placements[0].directory, "/sys/fs/cgroup/memory/me/a/b");
  EXPECT_EQ(planned({}, v2_host(), "a/b").placements[0].directory, "/sys/fs/cgroup/user.slice/a/b");
}

TEST(PlanPaths, EmptyIsTheId) {
  EXPECT_EQ(planned({}, v1_host(), "").placements[0].directory, "/sys/fs/cgroup/memory/x");
  EXPECT_EQ(planned({}, v2_host(), "").placements[0].directory, "/sys/fs/cgroup/x");
}

TEST(PlanPaths, DotsAreCleanedAndNeverLeaveTheHierarchy) {
  EXPECT_EQ(planned({}, v2_host(), "/a/../../b").placements[0].directory, "/sys/fs/cgroup/b");
  EXPECT_EQ(planned({}, v2_host(), "/../../../escape").placements[0].directory,
            "/sys/fs/cgroup/escape");
  EXPECT_EQ(planned({}, v1_host(), "/a/./b/../c").placements[0].directory,
            "/sys/fs/cgroup/memory/a/c");
  EXPECT_EQ(planned({}, v2_host(), "../../a").placements[0].directory,
            planned({}, v2_host(), "a").placements[0].directory);
}

TEST(PlanPaths, RootAndParentAreRefused) {
  EXPECT_THAT(refusal({}, v2_host(), "/"), HasSubstr("linux.cgroupsPath"));
  EXPECT_THAT(refusal({}, v2_host(), "//./"), HasSubstr("root cgroup"));
  for (const char* root : {"/..", "/a/..", "a/..", "..", "/a/../../."}) {
    EXPECT_THAT(refusal({}, v2_host(), root), HasSubstr("root cgroup")) << root;
  }
}

oci::Resources memory_of(std::int64_t limit, std::optional<std::int64_t> swap) {
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = limit;
  resources.memory->swap = swap;
  return resources;
}

TEST(PlanMemory, SwapMeansDifferentThings) {
  EXPECT_THAT(texts(planned(memory_of(100, 300), v1_host()).writes),
              ElementsAre("memory.limit_in_bytes=100", "memory.memsw.limit_in_bytes=300"));
  EXPECT_THAT(texts(planned(memory_of(100, 300), v2_host()).writes),
              ElementsAre("memory.swap.max=200", "memory.max=100"));
  EXPECT_THAT(texts(planned(memory_of(-1, {}), v2_host()).writes),
              ElementsAre("memory.swap.max=max", "memory.max=max"));
  EXPECT_THAT(refusal(memory_of(300, 100), v1_host()), HasSubstr("linux.resources.memory.swap"));
  EXPECT_THAT(refusal(memory_of(300, 100), v2_host()), HasSubstr("linux.resources.memory.swap"));
}

TEST(PlanMemory, ZeroIsUnset) {
  // What `docker update --cpus 0.5` sends.
  oci::Resources resources = memory_of(0, {});
  resources.memory->reservation = 0;
  resources.memory->kernel = 0;
  resources.cpu.emplace();
  resources.cpu->shares = 0;
  resources.cpu->quota = 50000;
  resources.cpu->period = 100000;
  resources.block_io.emplace();
  resources.block_io->weight = 0;
  EXPECT_THAT(texts(planned(resources, v1_host()).writes),
              ElementsAre("cpu.cfs_period_us=100000", "cpu.cfs_quota_us=50000"));
  EXPECT_THAT(texts(planned(resources, v2_host()).writes), ElementsAre("cpu.max=50000 100000"));
}

TEST(PlanMemory, KernelMemoryIsBestEffortOnV1AndAWarningOnV2) {
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->kernel = 4096;
  const auto v1 = planned(resources, v1_host());
  EXPECT_TRUE(v1.writes.at(0).best_effort);
  const auto v2 = planned(resources, v2_host());
  EXPECT_THAT(v2.writes, IsEmpty());
  EXPECT_THAT(v2.warnings, ElementsAre(HasSubstr("memory.kernel")));
}

TEST(PlanMemory, FieldsThatV2LacksAreRefused) {
  oci::Resources swappiness;
  swappiness.memory.emplace();
  swappiness.memory->swappiness = 10;
  EXPECT_THAT(refusal(swappiness, v2_host()), HasSubstr("memory.swappiness"));
  oci::Resources killer;
  killer.memory.emplace();
  killer.memory->disable_oom_killer = true;
  EXPECT_THAT(refusal(killer, v2_host()), HasSubstr("memory.disableOOMKiller"));
  EXPECT_EQ(refusal(killer, v1_host()), "accepted");
}

TEST(PlanCpu, SharesBecomeWeight) {
  oci::Resources resources;
  resources.cpu.emplace();
  resources.cpu->shares = 512;
  resources.cpu->idle = 0;
  resources.cpu->burst = 1000;
  EXPECT_THAT(texts(planned(resources, v2_host()).writes),
              ElementsAre("cpu.weight=59", "cpu.idle=0", "cpu.max.burst=1000"));
  EXPECT_THAT(texts(planned(resources, v1_host()).writes),
              ElementsAre("cpu.shares=512", "cpu.idle=0", "cpu.cfs_burst_us=1000"));
  resources.cpu->shares = 1;
  EXPECT_THAT(refusal(resources, v1_host()), HasSubstr("minimum allowed cpu-shares is 2"));
}

TEST(PlanCpu, RealTimeComesBeforeJoining) {
  oci::Resources resources;
  resources.cpu.emplace();
  resources.cpu->realtime_runtime = 950;
  resources.cpu->realtime_period = 1000;
  const auto v1 = planned(resources, v1_host());
  EXPECT_THAT(texts(v1.before_join), ElementsAre("cpu.rt_period_us=1000", "cpu.rt_runtime_us=950"));
  EXPECT_THAT(refusal(resources, v2_host()), HasSubstr("cpu.realtimeRuntime"));
}

TEST(PlanCpu, UpdateOfOneHalfKeepsTheOther) {
  oci::Resources resources;
  resources.cpu.emplace();
  resources.cpu->period = 50000;
  Current current;
  current.cpu_quota = "20000";
  EXPECT_THAT(texts(plan_writes(resources, Mode::kV2, {}, current)->writes),
              ElementsAre("cpu.max=20000 50000"));
  resources.cpu->period.reset();
  resources.cpu->quota = -1;
  EXPECT_THAT(texts(plan_writes(resources, Mode::kV2, {}, current)->writes),
              ElementsAre("cpu.max=max"));
}

TEST(PlanPids, ZeroIsOneAndNegativeIsNone) {
  oci::Resources resources;
  resources.pids_limit = 0;
  EXPECT_THAT(texts(planned(resources, v2_host()).writes), ElementsAre("pids.max=1"));
  EXPECT_THAT(texts(planned(resources, v1_host()).writes), ElementsAre("pids.max=1"));
  resources.pids_limit = -1;
  EXPECT_THAT(texts(planned(resources, v1_host()).writes), ElementsAre("pids.max=max"));
}

TEST(PlanBlockIo, WeightsAndThrottles) {
  oci::Resources resources;
  auto& io = resources.block_io.emplace();
  io.weight = 200;
  io.weight_device.push_back({8, 0, std::uint16_t{100}, std::nullopt});
  io.throttle_write_iops.push_back({8, 16, 50});
  const auto v2 = planned(resources, v2_host());
  EXPECT_THAT(texts(v2.writes), ElementsAre("io.bfq.weight=default 200", "io.bfq.weight=8:0 100",
                                            "io.max=8:16 wiops=50"));
  EXPECT_EQ(v2.writes[0].other_file + "=" + v2.writes[0].other_value, "io.weight=default 1920");
  EXPECT_EQ(v2.writes[1].other_value, "8:0 910");
  const auto v1 = planned(resources, v1_host());
  EXPECT_THAT(texts(v1.writes), ElementsAre("blkio.weight=200", "blkio.weight_device=8:0 100",
                                            "blkio.throttle.write_iops_device=8:16 50"));
  EXPECT_EQ(v1.writes[0].other_file, "blkio.bfq.weight");
  EXPECT_THAT(v1.writes[2].field,
              HasSubstr("linux.resources.blockIO.throttleWriteIOPSDevice[0].rate"));
  io.weight = 5;
  EXPECT_THAT(refusal(resources, v2_host()), HasSubstr("blockIO.weight"));
}

TEST(PlanHugetlb, ReservationFirst) {
  oci::Resources resources;
  resources.hugepage_limits.push_back({"2MB", 4096});
  const auto v2 = planned(resources, v2_host());
  EXPECT_THAT(texts(v2.writes), ElementsAre("hugetlb.2MB.rsvd.max=4096", "hugetlb.2MB.max=4096"));
  EXPECT_TRUE(v2.writes[0].missing_ok);
  EXPECT_THAT(v2.required_controllers, ElementsAre(Field(&RequiredController::name, "hugetlb")));
  // A hybrid host has what no v1 hierarchy claimed in its cgroup2 tree.
  EXPECT_THAT(texts(planned(resources, v1_host(Mode::kHybrid)).writes),
              ElementsAre("hugetlb.2MB.rsvd.max=4096", "hugetlb.2MB.max=4096"));
  EXPECT_THAT(refusal(resources, v1_host()), HasSubstr("hugepageLimits[0].limit: no cgroup"));
  resources.hugepage_limits[0].page_size = "../2MB";
  EXPECT_THAT(refusal(resources, v2_host()), HasSubstr("hugepageLimits[0].pageSize"));
}

TEST(PlanNetwork, OnlyWhereItsHierarchyIs) {
  oci::Resources resources;
  resources.network.emplace();
  resources.network->class_id = 7;
  EXPECT_THAT(refusal(resources, v2_host()), HasSubstr("network.classID"));
  EXPECT_THAT(refusal(resources, v1_host(Mode::kHybrid)), HasSubstr("network.classID: no cgroup"));
  Host host = v1_host();
  host.hierarchies[0].controllers = {"net_cls", "net_prio"};
  EXPECT_THAT(texts(planned(resources, host).writes), ElementsAre("net_cls.classid=7"));
}

TEST(PlanUnified, NamesAreFilesOfControllers) {
  oci::Resources resources;
  resources.unified = {{"memory.high", "100"}, {"misc.max", "a 1\nb 2"}};
  const auto v2 = planned(resources, v2_host());
  EXPECT_THAT(texts(v2.writes), ElementsAre("memory.high=100", "misc.max=a 1\nb 2"));
  EXPECT_THAT(v2.required_controllers,
              ElementsAre(Field(&RequiredController::field, "linux.resources.unified.memory.high"),
                          Field(&RequiredController::name, "misc")));
  EXPECT_TRUE(v2.writes[1].by_line);
  EXPECT_THAT(refusal(resources, v1_host()), HasSubstr("cannot use unified on cgroup v1"));
  EXPECT_THAT(refusal(resources, v1_host(Mode::kHybrid)), HasSubstr("is in cgroup v1"));
  for (const char* bad : {"a/b.c", "nodot", ".x", "x.", "cgroup.procs", "cgroup.kill"}) {
    resources.unified = {{bad, "1"}};
    EXPECT_THAT(refusal(resources, v2_host()), HasSubstr("linux.resources.unified")) << bad;
  }
}

TEST(PlanDevices, ProgramOnV2AndFilesOnV1) {
  EXPECT_FALSE(planned({}, v2_host()).device_program.empty());
  const auto v1 = planned({}, v1_host());
  EXPECT_TRUE(v1.device_program.empty());
  EXPECT_EQ(v1.writes.at(0).file, "devices.deny");
  EXPECT_EQ(v1.writes.at(1).file, "devices.allow");
}

TEST(PlanRootless, DoesWithoutOnlyWhenNothingIsAsked) {
  Config config;
  config.id = "x";
  config.rootless = true;
  EXPECT_TRUE(plan(config, v2_host())->may_do_without);
  EXPECT_EQ(plan(config, Host{})->mode, Mode::kNone);
  const auto limited = memory_of(100, {});
  config.resources = &limited;
  EXPECT_FALSE(plan(config, v2_host())->may_do_without);
  EXPECT_FALSE(plan(config, Host{}).ok());
  config.path.clear();
  EXPECT_EQ(plan(config, v2_host())->placements[0].directory, "/sys/fs/cgroup/user.slice/x");
}

TEST(PlanDisabled, RefusesLimits) {
  Config config;
  config.manager = Manager::kDisabled;
  EXPECT_EQ(plan(config, v2_host())->mode, Mode::kNone);
  const auto limited = memory_of(100, {});
  config.resources = &limited;
  EXPECT_FALSE(plan(config, v2_host()).ok());
}

}  // namespace
}  // namespace langsbx::cgroup
