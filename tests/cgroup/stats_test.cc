// Statistics from files as kernels write them, and the JSON that clients decode.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/stats_files.h"
#include "tests/support/fake_cgroup.h"

namespace langsbx::cgroup {
namespace {

TEST(StatsOfV2, AreInUnitsOfV1) {
  test::FakeCgroup tree;
  tree.put("c/cpu.stat",
           "usage_usec 5\nuser_usec 3\nsystem_usec 2\nnr_periods 7\nnr_throttled 1\n"
           "throttled_usec 4\n");
  tree.put("c/cpu.pressure",
           "some avg10=1.50 avg60=0.00 avg300=0.00 total=9\nfull avg10=0.00 avg60=0.00 "
           "avg300=0.00 total=1\n");
  tree.put("c/memory.stat", "anon 10\nfile 20\n");
  tree.put("c/memory.current", "100\n");
  tree.put("c/memory.max", "1000\n");
  tree.put("c/memory.peak", "150\n");
  tree.put("c/memory.events", "low 0\nmax 3\noom_kill 1\n");
  tree.put("c/memory.swap.current", "5\n");
  tree.put("c/memory.swap.max", "50\n");
  tree.put("c/pids.current", "2\n");
  tree.put("c/pids.max", "max\n");
  tree.put("c/io.stat", "8:16 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n253:0 \n");
  tree.put("c/cpuset.cpus.effective", "0-1\n");
  Record record;
  record.mode = Mode::kV2;
  record.placements.push_back({{}, tree.root(), tree.root() + "/c"});
  const auto group = open(record);
  const auto stats = group->stats();
  ASSERT_TRUE(stats.ok());
  const auto json = to_json(*stats);
  EXPECT_EQ(json["cpu"]["usage"]["total"], 5000);
  EXPECT_EQ(json["cpu"]["usage"]["kernel"], 2000);
  EXPECT_EQ(json["cpu"]["throttling"]["throttledTime"], 4000);
  EXPECT_EQ(json["cpu"]["psi"]["some"]["avg10"], 1.5);
  EXPECT_EQ(json["memory"]["cache"], 20);
  EXPECT_EQ(json["memory"]["usage"]["limit"], 1000);
  EXPECT_EQ(json["memory"]["usage"]["max"], 150);
  EXPECT_EQ(json["memory"]["usage"]["failcnt"], 3);
  EXPECT_EQ(json["memory"]["swap"]["usage"], 105);
  EXPECT_EQ(json["memory"]["swap"]["limit"], 1050);
  EXPECT_EQ(json["memory"]["raw"]["anon"], 10);
  EXPECT_EQ(json["pids"].dump(), R"({"current":2})");
  EXPECT_EQ(json["blkio"]["ioServicedRecursive"].dump(),
            R"([{"major":8,"minor":16,"op":"Read","value":3},)"
            R"({"major":8,"minor":16,"op":"Write","value":4}])");
  EXPECT_EQ(json["cpuset"]["cpus"].dump(), "[0,1]");
  EXPECT_TRUE(*group->has_oom_killed());
}

TEST(StatsOfV1, OfEachHierarchy) {
  test::FakeCgroup tree;
  tree.put("c/cpuacct.usage", "123\n");
  tree.put("c/cpuacct.usage_percpu", "100 23 \n");
  tree.put("c/cpuacct.stat", "user 2\nsystem 1\n");
  tree.put("c/cpu.stat", "nr_periods 1\nnr_throttled 2\nthrottled_time 3\n");
  tree.put("m/memory.stat", "cache 11\n");
  tree.put("m/memory.usage_in_bytes", "100\n");
  tree.put("m/memory.limit_in_bytes", "9223372036854771712\n");
  tree.put("m/memory.memsw.failcnt", "4\n");
  tree.put("m/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
  tree.put("b/blkio.throttle.io_service_bytes_recursive", "8:0 Read 4096\nTotal 4096\n");
  tree.put("s/cpuset.cpus", "0-1\n");
  tree.put("s/cpuset.sched_relax_domain_level", "-1\n");
  tree.put("p/pids.max", "5\n");
  Record record;
  record.mode = Mode::kV1;
  const auto place = [&](std::vector<std::string> names, const std::string& directory) {
    record.placements.push_back({std::move(names), tree.root(), tree.root() + "/" + directory});
  };
  place({"cpu", "cpuacct"}, "c");
  place({"memory"}, "m");
  place({"blkio"}, "b");
  place({"cpuset"}, "s");
  place({"pids"}, "p");
  const auto group = open(record);
  const auto json = to_json(*group->stats());
  EXPECT_EQ(json["cpu"]["usage"].dump(),
            R"({"total":123,"percpu":[100,23],"kernel":10000000,"user":20000000})");
  EXPECT_EQ(json["cpu"]["throttling"].dump(),
            R"({"periods":1,"throttledPeriods":2,"throttledTime":3})");
  EXPECT_EQ(json["memory"]["usage"].dump(),
            R"({"limit":9223372036854771712,"usage":100,"failcnt":0})");
  EXPECT_EQ(json["memory"]["swap"]["failcnt"], 4);
  EXPECT_EQ(json["blkio"]["ioServiceBytesRecursive"].dump(),
            R"([{"major":8,"op":"Read","value":4096}])");
  EXPECT_EQ(json["cpuset"]["sched_relax_domain_level"], -1);
  EXPECT_EQ(json["pids"]["limit"], 5);
  EXPECT_FALSE(*group->has_oom_killed());
}

TEST(StatsJson, EmptyIsStillWellFormed) {
  const auto json = to_json(Stats{});
  EXPECT_EQ(json["memory"].dump(),
            R"({"usage":{"limit":0,"failcnt":0},"swap":{"limit":0,"failcnt":0},)"
            R"("kernel":{"limit":0,"failcnt":0},"kernelTCP":{"limit":0,"failcnt":0}})");
  EXPECT_EQ(json["hugetlb"].dump(), "{}");
  EXPECT_EQ(json["network_interfaces"].dump(), "null");
}

TEST(HugePages, SizesAsInFileNames) {
  test::FakeCgroup tree;
  tree.put("hugepages-2048kB/nr_hugepages");
  tree.put("hugepages-1048576kB/nr_hugepages");
  tree.put("hugepages-64kB/nr_hugepages");
  tree.put("other/x");
  EXPECT_EQ(huge_page_sizes(tree.root()), (std::vector<std::string>{"1GB", "2MB", "64KB"}));
}

}  // namespace
}  // namespace langsbx::cgroup
