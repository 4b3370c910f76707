// The record in the state file: what goes in comes out, and nothing dangerous comes in.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runtime/cgroup/cgroup.h"

namespace langsbx::cgroup {
namespace {

TEST(RecordJson, RoundTrip) {
  Record record;
  record.manager = Manager::kSystemd;
  record.mode = Mode::kHybrid;
  record.placements = {{{"cpu", "cpuacct"}, "/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu/a"},
                       {{}, "/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified/a"}};
  record.unit = "a.scope";
  record.slice = "system.slice";
  record.user_bus = true;
  record.rootless = true;
  const auto text = to_json(record);
  const auto back = record_from_json(text);
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(to_json(*back), text);
  EXPECT_TRUE(back->placements[0].has("cpuacct"));
  EXPECT_TRUE(back->placements[1].controllers.empty());
}

TEST(RecordJson, RefusesMalformed) {
  for (const char* bad : {
           "[]",
           "{}",
           R"({"manager":"x","mode":"v1"})",
           R"({"manager":"cgroupfs","mode":"v3"})",
           R"({"manager":"cgroupfs","mode":"v2","placements":{}})",
           R"({"manager":"cgroupfs","mode":"v2","placements":[1]})",
           R"({"manager":"cgroupfs","mode":"v2","placements":[{"mount":"/m","directory":"/m"}]})",
           R"({"manager":"cgroupfs","mode":"v2","placements":[{"mount":"","directory":"/m"}]})",
           R"({"manager":"cgroupfs","mode":"v2","placements":[{"mount":"/m","directory":"/n/x"}]})",
           R"({"manager":"cgroupfs","mode":"v2","unit":3})",
       }) {
    EXPECT_FALSE(record_from_json(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace langsbx::cgroup
