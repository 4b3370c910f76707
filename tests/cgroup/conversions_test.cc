// Vectors of the formulas between v1 and v2 numbers.
#include "runtime/cgroup/conversions.h"

#include <gtest/gtest.h>

namespace langsbx::cgroup {
namespace {

TEST(CpuWeight, GoesThroughTheThreeFixedPoints) {
  EXPECT_EQ(cpu_weight_from_shares(2), 1U);
  EXPECT_EQ(cpu_weight_from_shares(1024), 100U);
  EXPECT_EQ(cpu_weight_from_shares(262144), 10000U);
}

TEST(CpuWeight, FollowsTheCurveOf2025) {
  EXPECT_EQ(cpu_weight_from_shares(512), 59U);  // the old linear formula gave 20
  EXPECT_EQ(cpu_weight_from_shares(3), 2U);
  EXPECT_EQ(cpu_weight_from_shares(2048), 174U);
}

TEST(CpuWeight, StaysWithinItsRange) {
  EXPECT_EQ(cpu_weight_from_shares(0), 0U);
  EXPECT_EQ(cpu_weight_from_shares(1), 1U);
  EXPECT_EQ(cpu_weight_from_shares(300000), 10000U);
  std::uint64_t before = 0;
  for (std::uint64_t shares = 2; shares <= 262144; shares += 97) {
    const auto weight = cpu_weight_from_shares(shares);
    EXPECT_GE(weight, before);
    EXPECT_LE(weight, 10000U);
    before = weight;
  }
}

TEST(IoWeight, IsLinear) {
  EXPECT_EQ(io_weight_from_blkio(0), 0U);
  EXPECT_EQ(io_weight_from_blkio(10), 1U);
  EXPECT_EQ(io_weight_from_blkio(200), 1920U);
  EXPECT_EQ(io_weight_from_blkio(1000), 10000U);
}

TEST(Swap, IsWhatRemainsBesideMemory) {
  EXPECT_EQ(*swap_for_v2(300, 100), std::optional<std::int64_t>(200));
  EXPECT_EQ(*swap_for_v2(100, 100), std::optional<std::int64_t>(0));
  EXPECT_EQ(*swap_for_v2(-1, 100), std::optional<std::int64_t>(-1));
  EXPECT_EQ(*swap_for_v2(std::nullopt, 100), std::nullopt);
  EXPECT_EQ(*swap_for_v2(0, 100), std::nullopt);
  EXPECT_EQ(*swap_for_v2(std::nullopt, -1), std::optional<std::int64_t>(-1));
}

TEST(Swap, NeedsALimitNotLargerThanItself) {
  EXPECT_FALSE(swap_for_v2(300, std::nullopt).ok());
  EXPECT_FALSE(swap_for_v2(300, -1).ok());
  const auto small = swap_for_v2(50, 100);
  ASSERT_FALSE(small.ok());
  EXPECT_NE(small.error().message.find("linux.resources.memory.swap"), std::string::npos);
}

TEST(Limit, NegativeIsMax) {
  EXPECT_EQ(limit_or_max(-1), "max");
  EXPECT_EQ(limit_or_max(0), "0");
  EXPECT_EQ(limit_or_max(7), "7");
}

}  // namespace
}  // namespace langsbx::cgroup
