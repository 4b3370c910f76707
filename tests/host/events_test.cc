// What `events` adds to the cgroup's statistics: resctrl and interfaces.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runtime/host/interface_stats.h"
#include "runtime/host/resctrl.h"
#include "tests/support/fake_cgroup.h"

namespace langsbx::runtime {
namespace {

TEST(ResctrlStats, HasTheMembersThatClientsDecode) {
  const test::FakeCgroup tree;
  tree.put("info/L3/cbm_mask", "fffff\n");
  tree.put("info/L3/min_cbm_bits", "1\n");
  tree.put("info/L3/num_closids", "16\n");
  tree.put("info/MB/bandwidth_gran", "10\n");
  tree.put("info/MB/delay_linear", "1\n");
  tree.put("info/MB/min_bandwidth", "10\n");
  tree.put("info/MB/num_closids", "0\n");
  tree.put("schemata", "    L3:0=fffff;1=fffff\n    MB:0=100;1=100\n");
  tree.put("box/schemata", "    MB:0=20;1=70\n    L3:0=ffff0;1=fffff\n");
  tree.put("box/mon_data/mon_L3_01/mbm_total_bytes", "9\n");
  tree.put("box/mon_data/mon_L3_00/mbm_total_bytes", "7\n");
  tree.put("box/mon_data/mon_L3_00/mbm_local_bytes", "5\n");
  tree.put("box/mon_data/mon_L3_00/llc_occupancy", "4096\n");
  const auto json = read_resctrl_stats(tree.root(), tree.root() + "/box", tree.root() + "/box");
  EXPECT_EQ(json.dump(),
            R"({"l3_cache_info":{"cbm_mask":"fffff","min_cbm_bits":1,"num_closids":16},)"
            R"("l3_cache_schema_root":"L3:0=fffff;1=fffff","l3_cache_schema":"L3:0=ffff0;1=fffff",)"
            R"("mem_bw_info":{"bandwidth_gran":10,"delay_linear":1,"min_bandwidth":10},)"
            R"("mem_bw_schema_root":"MB:0=100;1=100","mem_bw_schema":"MB:0=20;1=70",)"
            R"("mbm_stats":[{"mbm_total_bytes":7,"mbm_local_bytes":5},{"mbm_total_bytes":9}],)"
            R"("cmt_stats":[{"llc_occupancy":4096}]})");
}

TEST(ResctrlStats, LeaveOutWhatTheMachineHasNot) {
  const test::FakeCgroup tree;
  EXPECT_EQ(read_resctrl_stats(tree.root(), tree.root(), tree.root()).dump(), "{}");
}

constexpr const char* kNetDev =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop "
    "fifo colls carrier compressed\n"
    "    lo:     100       1    0    0    0     0          0         0      100       1    0    0 "
    "   0     0       0          0\n"
    "  eth1: 1234567      22    1    2    3     4          5         6  7654321      33    7    8 "
    "   9    10      11         12\n";

TEST(InterfaceStats, AreOfTheDevicesThatWereMoved) {
  oci::Linux linux_;
  EXPECT_TRUE(interface_stats(linux_, kNetDev).is_null());
  linux_.net_devices["host7"].name = "eth1";
  linux_.net_devices["gone0"] = {};
  EXPECT_EQ(interface_stats(linux_, kNetDev).dump(),
            R"([{"Name":"eth1","RxBytes":1234567,"RxPackets":22,"RxErrors":1,"RxDropped":2,)"
            R"("TxBytes":7654321,"TxPackets":33,"TxErrors":7,"TxDropped":8}])");
  EXPECT_EQ(interface_stats(linux_, "eth1").dump(), "[]");
}

}  // namespace
}  // namespace langsbx::runtime
