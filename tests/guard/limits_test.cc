// The stricter of configuration and profile, field by field.
#include "runtime/guard/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace langsbx::guard {
namespace {

TEST(Limits, TheProfileFillsInWhatTheConfigurationLeavesOpen) {
  languages::Limits limits;
  limits.memory = 1000;
  limits.cpu = 1500;
  limits.processes = 0;
  for (const std::int64_t open : {-1, 0}) {
    oci::Resources resources;
    resources.memory.emplace().limit = open;
    resources.cpu.emplace().quota = open;
    resources.pids_limit = open;
    limit_resources(limits, resources);
    EXPECT_EQ(resources.memory->limit, 1000);
    EXPECT_EQ(resources.cpu->quota, 150'000);
    EXPECT_EQ(resources.cpu->period, 100'000U);
    EXPECT_EQ(resources.pids_limit, 1);
  }
}

TEST(Limits, TheStricterHolds) {
  languages::Limits limits;
  limits.memory = 1000;
  limits.cpu = 500;
  limits.processes = 8;
  oci::Resources loose;
  auto& memory = loose.memory.emplace();
  memory.limit = memory.swap = 5000;
  memory.reservation = 4000;
  auto& cpu = loose.cpu.emplace();
  cpu.quota = 90'000;
  cpu.burst = 80'000;
  cpu.period = 100'000;
  loose.pids_limit = 100;
  limit_resources(limits, loose);
  EXPECT_EQ(loose.memory->limit, 1000);
  EXPECT_FALSE(loose.memory->reservation);
  EXPECT_EQ(loose.memory->swap, 5000);
  EXPECT_EQ(loose.cpu->quota, 50'000);
  EXPECT_FALSE(loose.cpu->burst);
  EXPECT_EQ(loose.pids_limit, 8);

  oci::Resources strict;
  strict.memory.emplace().limit = 10;
  strict.cpu.emplace().quota = 10'000;
  strict.cpu->period = 50'000;
  strict.pids_limit = 2;
  limit_resources(limits, strict);
  EXPECT_EQ(strict.memory->limit, 10);
  EXPECT_EQ(strict.cpu->quota, 10'000);
  EXPECT_EQ(strict.pids_limit, 2);
}

TEST(Limits, NoLimitIsNoResource) {
  oci::Resources resources;
  limit_resources({}, resources);
  EXPECT_FALSE(resources.memory);
  EXPECT_FALSE(resources.cpu);
  EXPECT_FALSE(resources.pids_limit);
}

TEST(Limits, OfAProcess) {
  languages::Limits limits;
  limits.cpu_time = 1'500;
  limits.files = 16;
  limits.disk = 0;
  limits.output = 4096;
  plan::ProgramPlan program;
  limit_program(limits, program);
  const auto value = [&](int resource) {
    const auto& list = program.lowered_rlimits;
    const auto place = std::find_if(list.begin(), list.end(),
                                    [&](const auto& entry) { return entry.resource == resource; });
    return place == list.end() ? RLIM_INFINITY : place->value.rlim_cur;
  };
  EXPECT_EQ(value(RLIMIT_CPU), 2U);
  EXPECT_EQ(value(RLIMIT_NOFILE), 16U);
  EXPECT_EQ(value(RLIMIT_FSIZE), 4096U);  // standard output may be a file
  EXPECT_EQ(value(RLIMIT_DATA), RLIM_INFINITY);
  limits.memory = 1U << 20U;
  limit_program_memory(limits, program);
  EXPECT_EQ(value(RLIMIT_DATA), 1U << 20U);
}

}  // namespace
}  // namespace langsbx::guard
