// Every shipped seccomp profile against its expectation tables, in the emulator.
#include <gtest/gtest.h>

#include "runtime/confine/seccomp.h"
#include "tests/support/bpf_emulator.h"

namespace langsbx {
namespace {

const std::string kTables = LANGSBX_SOURCE_DIR "/tests/confine/expectations/";

confine::SeccompPlan plan_of(std::string_view name) {
  confine::SeccompSource source;
  source.name = name;
  source.json = confine::builtin_seccomp_profile(name).value();
  auto plan = confine::plan_seccomp({source}, {});
  EXPECT_TRUE(plan.ok()) << plan.error().to_string();
  return plan.ok() ? plan.release_value() : confine::SeccompPlan{};
}

void check(const confine::SeccompPlan& plan, const std::string& table) {
  const auto expectations = test::read_expectations(kTables + table + ".txt");
  ASSERT_TRUE(expectations.ok()) << expectations.error().to_string();
  ASSERT_FALSE(expectations->empty());
  for (const test::Expectation& expected : *expectations) {
    const auto answer = test::answer_of(plan, expected);
    ASSERT_TRUE(answer.ok()) << table << ":" << expected.line << ": " << answer.error().to_string();
    EXPECT_EQ(*answer, expected.answer)
        << table << ".txt:" << expected.line << ": " << expected.syscall;
  }
}

class Profiles : public testing::TestWithParam<std::string_view> {};

TEST_P(Profiles, AnswerAsTheTablesSay) {
  const confine::SeccompPlan plan = plan_of(GetParam());
  ASSERT_EQ(plan.filters.size(), 1U);
  EXPECT_TRUE(plan.summaries[0].skipped.empty()) << plan.summaries[0].skipped[0];
  const bool pause = GetParam() == "pause";  // no program of anybody's runs under it
  if (!pause) check(plan, "every_profile");
  if (!pause && GetParam() != "default") check(plan, "language");
  check(plan, std::string(GetParam()));
}

// The kernel takes 4096 instructions, and checks each when a container starts.
TEST_P(Profiles, StayShort) { EXPECT_LT(plan_of(GetParam()).filters[0].program.size(), 1600U); }

TEST_P(Profiles, EveryRuleHasItsReason) {
  const auto json = confine::builtin_seccomp_profile(GetParam()).value();
  std::size_t rules = 0;
  std::size_t reasons = 0;
  for (std::size_t at = 0; (at = json.find("\"names\"", at)) != std::string_view::npos; ++at) {
    ++rules;
  }
  for (std::size_t at = 0; (at = json.find("\"comment\"", at)) != std::string_view::npos; ++at) {
    ++reasons;
  }
  EXPECT_EQ(reasons, rules + 1);  // one for the profile itself
}

INSTANTIATE_TEST_SUITE_P(Shipped, Profiles,
                         testing::ValuesIn(confine::builtin_seccomp_profile_names()),
                         [](const auto& profile) { return std::string(profile.param); });

TEST(ShippedProfiles, AreThese) {
  const std::vector<std::string_view> names = confine::builtin_seccomp_profile_names();
  const std::vector<std::string_view> expected = {
      "bash", "c", "cpp", "default", "go", "java", "javascript", "pause", "python", "r", "rust"};
  EXPECT_EQ(names, expected);
}

TEST(StackedProfiles, TheStricterAnswerWins) {
  confine::SeccompSource own;
  own.name = "linux.seccomp";
  own.json = confine::builtin_seccomp_profile("default").value();
  confine::SeccompSource language;
  language.name = "language profile python";
  language.json = confine::builtin_seccomp_profile("python").value();
  const auto plan = confine::plan_seccomp({own, language}, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->filters.size(), 2U);
  check(*plan, "every_profile");
  EXPECT_EQ(test::answer_of(*plan, {0, "x86_64", "ptrace", {}, ""}).value(), "EPERM");
  EXPECT_EQ(test::answer_of(*plan, {0, "x86_64", "chroot", {}, ""}).value(), "EPERM");
}

}  // namespace
}  // namespace langsbx
