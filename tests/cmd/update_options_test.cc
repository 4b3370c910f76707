// Sizes, durations and the limits of `update`.
#include "cmd/langsbx/update_options.h"

#include <gtest/gtest.h>

#include "cmd/langsbx/duration.h"

namespace langsbx::cmd {
namespace {

std::int64_t bytes(std::string_view text) { return parse_bytes(text, "memory").value_or(-99); }

TEST(Bytes, Units) {
  EXPECT_EQ(bytes("4096"), 4096);
  EXPECT_EQ(bytes("-1"), -1);
  EXPECT_EQ(bytes("64m"), 64 << 20);
  EXPECT_EQ(bytes("64MiB"), 64 << 20);
  EXPECT_EQ(bytes("1.5gb"), std::int64_t{3} << 29);
  EXPECT_EQ(bytes("2 k"), 2048);
  EXPECT_EQ(bytes("9223372036854775807"), INT64_MAX);
  for (const char* wrong : {"", "x", "1x", "-2", "1kk", "1e3", "99999999p", "nan", "inf", "m"})
    EXPECT_EQ(bytes(wrong), -99) << wrong;
}

TEST(Durations, AsGoWritesThem) {
  const auto milliseconds = [](std::string_view text) {
    return parse_duration(text, "interval").value_or(std::chrono::milliseconds(-1)).count();
  };
  EXPECT_EQ(milliseconds("5s"), 5000);
  EXPECT_EQ(milliseconds("1m30s"), 90000);
  EXPECT_EQ(milliseconds("250ms"), 250);
  EXPECT_EQ(milliseconds("1.5h"), 5400000);
  for (const char* wrong : {"", "5", "0s", "-1s", "5x", "s", "1ns", "99999999999h"})
    EXPECT_EQ(milliseconds(wrong), -1) << wrong;
}

TEST(UpdateOptions, OnlyWhatWasGivenIsSet) {
  UpdateOptions options;
  auto nothing = resources_from(options);
  ASSERT_TRUE(nothing.ok());
  EXPECT_FALSE(nothing->memory || nothing->cpu || nothing->pids_limit || nothing->block_io);
  options.memory = "64m";
  options.pids_limit = 0;
  options.cpus = "0-1";
  auto some = resources_from(options);
  ASSERT_TRUE(some.ok());
  EXPECT_EQ(some->memory->limit, 64 << 20);
  EXPECT_FALSE(some->memory->swap.has_value());
  EXPECT_EQ(some->pids_limit, 0);
  EXPECT_EQ(some->cpu->cpus, "0-1");
  options.cpu_shares = -5;
  EXPECT_EQ(resources_from(options).error().message, "invalid value \"-5\" for flag -cpu-share");
}

}  // namespace
}  // namespace langsbx::cmd
