// Presets, sizes and the order in which limits win.
#include "runtime/execute/limits.h"

#include <gtest/gtest.h>

namespace langsbx::execute {
namespace {

TEST(Limits, SizesArePowersOf1024) {
  EXPECT_EQ(*parse_size("64", "--memory"), 64U);
  EXPECT_EQ(*parse_size("64K", "--memory"), 65536U);
  EXPECT_EQ(*parse_size("10Mi", "--memory"), 10U << 20U);
  EXPECT_EQ(*parse_size("1g", "--memory"), 1U << 30U);
  for (const char* wrong : {"", "0", "-1", "K", "1X", "1MM", "99999999999999999999", "9999999T"}) {
    EXPECT_FALSE(parse_size(wrong, "--memory").ok()) << wrong;
  }
}

TEST(Limits, Processors) {
  EXPECT_EQ(*parse_cpus("1.5"), 1500U);
  for (const char* wrong : {"", "0", "-1", "nan", "inf", "1x"}) {
    EXPECT_FALSE(parse_cpus(wrong).ok()) << wrong;
  }
}

TEST(Limits, StricterOfPresetAndProfileButTheCommandLineWins) {
  const auto* toolchain = *find_toolchain("python");
  languages::Limits profile;
  profile.memory = 1U << 20U;
  profile.wall_time = 999'999;
  LimitOptions options;
  options[limit_index("output")] = 7;
  const auto limits = merge_limits(*preset_limits("default"), profile, *toolchain, options);
  EXPECT_EQ(limits.memory, 1U << 20U);
  EXPECT_EQ(limits.wall_time_ms, 60'000U);
  EXPECT_EQ(limits.output, 7U);
}

TEST(Limits, AProfileThatWasChosenRaisesThem) {
  languages::Limits profile;
  profile.memory = 4ULL << 30U;
  const auto limits = merge_limits(*preset_limits("default"), profile, **find_toolchain("python"),
                                   {}, Stronger::kProfile);
  EXPECT_EQ(limits.memory, 4ULL << 30U);
  EXPECT_EQ(limits.wall_time_ms, 60'000U) << "of what it says nothing of, the preset's count";
}

TEST(Limits, EveryFieldIsInTheTableOnce) {
  Limits limits;
  std::uint64_t next = 0;
  for (const auto& row : limit_table()) limits.*row.value = ++next;
  EXPECT_EQ(next, sizeof(Limits) / sizeof(std::uint64_t));
  for (const auto& row : limit_table()) {
    EXPECT_EQ(limits.*row.value, ++next - kLimitCount) << row.field;
    EXPECT_LE(row.strict, row.normal) << row.field;
    const auto name = row.option.substr(0, row.option.find(','));
    EXPECT_EQ(&limit_table()[limit_index(name)], &row);
  }
  EXPECT_EQ(limit_index("nothing"), kLimitCount);
}

TEST(Limits, ALanguageGetsWhatItCannotDoWithout) {
  const auto* toolchain = *find_toolchain("java");
  const auto limits = merge_limits(*preset_limits("strict"), {}, *toolchain, {});
  EXPECT_EQ(limits.pids, toolchain->least_pids);
  const auto* r = *find_toolchain("r");
  EXPECT_EQ(merge_limits(*preset_limits("default"), {}, *r, {}).files, r->least_files);
  EXPECT_FALSE(preset_limits("lax").ok());
}

TEST(Toolchain, NamesInsideAreHarmless) {
  const auto* toolchain = *find_toolchain("python");
  EXPECT_EQ(inside_name(*toolchain, "/a/b/tool.py"), "tool.py");
  EXPECT_EQ(inside_name(*toolchain, "-c"), "main.py");
  EXPECT_EQ(inside_name(*toolchain, "a b.py"), "main.py");
  EXPECT_EQ(inside_name(*toolchain, "x/$(id).py"), "main.py");
  EXPECT_EQ(inside_name(*toolchain, "main"), "main.py");
}

TEST(Toolchain, CompiledIsSplitAtItsSize) {
  const auto same = split_compiled(join_compiled({"o\nb", "12\n"}));
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same.value().object, "o\nb");
  EXPECT_EQ(same.value().program, "12\n");
  const auto both = split_compiled("3\nabcdef");
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(both.value().object, "abc");
  EXPECT_EQ(both.value().program, "def");
  for (const char* wrong : {"", "3", "4\nabc", "x\nabc", "\nabc", "-1\nabc"}) {
    EXPECT_FALSE(split_compiled(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace langsbx::execute
