// Unit names, slices, properties and annotations for systemd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/cgroup/systemd/quote.h"
#include "runtime/cgroup/systemd/unit.h"

namespace langsbx::cgroup::systemd {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> texts(const std::vector<UnitProperty>& properties) {
  std::vector<std::string> result;
  for (const auto& property : properties) {
    result.push_back(property.name + " " + property.signature + " " + property.json);
  }
  return result;
}

TEST(UnitPath, SlicePrefixName) {
  const auto unit = parse_unit_path("machine.slice:libpod:abc", "id", false);
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(unit->name, "libpod-abc.scope");
  EXPECT_EQ(unit->slice, "machine.slice");
  EXPECT_FALSE(unit->user_bus);
}

TEST(UnitPath, Defaults) {
  EXPECT_EQ(parse_unit_path("", "c1", false)->name, "langsbx-c1.scope");
  EXPECT_EQ(parse_unit_path("", "c1", false)->slice, "system.slice");
  EXPECT_EQ(parse_unit_path("", "c1", true)->slice, "user.slice");
  EXPECT_TRUE(parse_unit_path("", "c1", true)->user_bus);
  EXPECT_EQ(parse_unit_path("-:p:n", "c1", false)->slice, "-.slice");
  EXPECT_EQ(parse_unit_path("::pod.slice", "c1", false)->name, "pod.slice");
  EXPECT_EQ(parse_unit_path("a.slice::n", "c1", false)->name, "n.scope");
}

TEST(UnitPath, RefusesWhatSystemdWould) {
  for (const char* bad :
       {"/docker/x", "a:b", "a.slice:b:c:d", "a.slice:b:", "a/b.slice:p:n", "noslice:p:n",
        "a--b.slice:p:n", "-a.slice:p:n", "a.slice:p:n/../x", "a.slice:p:n+m", "a.slice:p:n m"}) {
    const auto unit = parse_unit_path(bad, "id", false);
    ASSERT_FALSE(unit.ok()) << bad;
    EXPECT_THAT(unit.error().message, HasSubstr("linux.cgroupsPath"));
  }
}

TEST(Slice, Expands) {
  EXPECT_EQ(*expand_slice("-.slice"), "/");
  EXPECT_EQ(*expand_slice("a.slice"), "/a.slice");
  EXPECT_EQ(*expand_slice("a-b-c.slice"), "/a.slice/a-b.slice/a-b-c.slice");
  EXPECT_FALSE(expand_slice(".slice").ok());
}

oci::Resources some_limits() {
  oci::Resources resources;
  resources.memory.emplace();
  resources.memory->limit = 1000;
  resources.memory->swap = 3000;
  resources.memory->reservation = 500;
  resources.cpu.emplace();
  resources.cpu->shares = 1024;
  resources.cpu->quota = 50500;
  resources.cpu->period = 100000;
  resources.cpu->cpus = "0-1,9";
  resources.pids_limit = 0;
  return resources;
}

TEST(Properties, OfV2) {
  const auto properties = texts(*resource_properties(some_limits(), Mode::kV2));
  EXPECT_THAT(properties,
              ::testing::UnorderedElementsAre(
                  "MemoryMax t 1000", "MemorySwapMax t 2000", "MemoryLow t 500", "CPUWeight t 100",
                  "CPUQuotaPeriodUSec t 100000", "CPUQuotaPerSecUSec t 510000", "TasksMax t 1",
                  "AllowedCPUs ay [3,2]"));
}

TEST(Properties, OfV1) {
  const auto properties = texts(*resource_properties(some_limits(), Mode::kHybrid));
  EXPECT_THAT(properties, Contains("MemoryLimit t 1000"));
  EXPECT_THAT(properties, Contains("CPUShares t 1024"));
  EXPECT_THAT(properties, Not(Contains(HasSubstr("AllowedCPUs"))));
}

TEST(Properties, UnlimitedAndUnified) {
  oci::Resources resources;
  resources.pids_limit = -1;
  resources.unified = {{"memory.high", "max"}, {"cpu.max", "20000 50000"}, {"memory.low", "1G"}};
  EXPECT_THAT(texts(*resource_properties(resources, Mode::kV2)),
              ::testing::UnorderedElementsAre(
                  "TasksMax t 18446744073709551615", "MemoryHigh t 18446744073709551615",
                  "CPUQuotaPeriodUSec t 50000", "CPUQuotaPerSecUSec t 400000"));
}

TEST(Annotations, AllowedOnes) {
  const auto properties = annotation_properties({
      {"a", "ignored"},
      {"org.systemd.property.CollectMode", "'inactive-or-failed'"},
      {"org.systemd.property.KillSignal", "15"},
      {"org.systemd.property.TimeoutStopUSec", "uint64 10000000"},
      {"org.systemd.property.RuntimeMaxSec", "1.5"},
      {"org.systemd.property.After", "['a.service', 'b.service']"},
      {"org.systemd.propertyX", "ignored"},
  });
  ASSERT_TRUE(properties.ok());
  EXPECT_THAT(texts(*properties), ::testing::UnorderedElementsAre(
                                      "CollectMode s \"inactive-or-failed\"", "KillSignal i 15",
                                      "TimeoutStopUSec t 10000000", "RuntimeMaxUSec t 1500000",
                                      "After as [\"a.service\",\"b.service\"]"));
}

TEST(Annotations, NothingThatRunsOrUnprotects) {
  for (const char* name :
       {"ExecStartPre", "ExecStopPost", "ExecStart", "Delegate", "Slice", "PIDs", "User",
        "DevicePolicy", "DeviceAllow", "BPFProgram", "OnFailure", "Requires", "", "execstart"}) {
    const auto refused =
        annotation_properties({{std::string("org.systemd.property.") + name, "'x'"}});
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_THAT(refused.error().message, HasSubstr("annotations: org.systemd.property."));
  }
}

TEST(Gvariant, Values) {
  EXPECT_EQ(*parse_gvariant("uint64 0x10", "t"), "16");
  EXPECT_EQ(*parse_gvariant(" 18446744073709551615 ", "t"), "18446744073709551615");
  EXPECT_EQ(*parse_gvariant("-5", "i"), "-5");
  EXPECT_EQ(*parse_gvariant("true", "b"), "true");
  EXPECT_EQ(*parse_gvariant("\"a\\\"b\"", "s"), "\"a\\\"b\"");
  EXPECT_EQ(*parse_gvariant("@as []", "as"), "[]");
  // JSON writes no number as ".6e3" or "007".
  EXPECT_EQ(*parse_gvariant("double .6e3", "d"), "600");
  EXPECT_EQ(*parse_gvariant("007", "d"), "7");
  EXPECT_EQ(*parse_gvariant("-0.25", "d"), "-0.25");
}

TEST(Gvariant, MalformedIsRefused) {
  const std::pair<const char*, const char*> bad[] = {
      {"", "t"},           {"-1", "t"},    {"uint32 1", "t"},   {"18446744073709551616", "t"},
      {"2147483648", "i"}, {"1 2", "t"},   {"'abc", "s"},       {"abc", "s"},
      {"'a'x", "s"},       {"['a'", "as"}, {"['a' 'b']", "as"}, {"[1]", "as"},
      {"yes", "b"},        {"0x", "t"},    {"'\\", "s"},        {"[", "as"},
  };
  for (const auto& [text, signature] : bad) {
    EXPECT_FALSE(parse_gvariant(text, signature).ok()) << text;
  }
}

TEST(PlanUnit, AnnotationsWinAndSubgroupIsAName) {
  std::map<std::string, std::string> annotations = {{"org.systemd.property.TasksMax", "uint64 7"},
                                                    {"run.oci.systemd.subgroup", "container"}};
  Config config;
  config.id = "c";
  config.path = "machine.slice:p:c";
  config.annotations = &annotations;
  Host host;
  host.mode = Mode::kV2;
  auto resources = some_limits();
  const auto unit = plan_unit(config, resources, host);
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(unit->subgroup, "container");
  const auto properties = texts(unit->properties);
  EXPECT_THAT(properties, Contains("TasksMax t 7"));
  EXPECT_THAT(properties, Not(Contains("TasksMax t 1")));
  EXPECT_THAT(properties, Contains("Delegate b true"));
  EXPECT_THAT(properties, Contains("DevicePolicy s \"strict\""));
  EXPECT_THAT(properties, Contains(HasSubstr("[\"/dev/char/1:3\",\"rwm\"]")));
  annotations["run.oci.systemd.subgroup"] = "../x";
  EXPECT_FALSE(plan_unit(config, resources, host).ok());
}

TEST(Quote, EscapesControlCharacters) { EXPECT_EQ(quote("a\"\\\n"), "\"a\\\"\\\\\\u000a\""); }

}  // namespace
}  // namespace langsbx::cgroup::systemd
