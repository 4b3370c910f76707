// Compiling, caching and ordering of seccomp profiles.
#include "runtime/confine/seccomp.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "runtime/confine/seccomp_cache.h"
#include "tests/support/bpf_emulator.h"

namespace langsbx::confine {
namespace {

using testing::HasSubstr;

oci::Seccomp profile(std::string default_action, std::vector<oci::SeccompRule> rules) {
  oci::Seccomp result;
  result.default_action = std::move(default_action);
  result.syscalls = std::move(rules);
  return result;
}

std::string error_of(const oci::Seccomp& wanted) {
  const auto plan = plan_seccomp(wanted, {});
  return plan.ok() ? "no error" : plan.error().to_string();
}

std::string answer(const SeccompPlan& plan, std::string call,
                   std::vector<std::uint64_t> args = {}) {
  return test::answer_of(plan, {0, "x86_64", std::move(call), std::move(args), ""}).value_or("?");
}

TEST(SeccompPlan, NamesTheFieldOfEachFault) {
  EXPECT_THAT(error_of(profile("SCMP_ACT_NO", {})),
              HasSubstr("linux.seccomp.defaultAction: unknown action \"SCMP_ACT_NO\""));
  oci::Seccomp bad = profile("SCMP_ACT_ALLOW", {{{"read"}, "SCMP_ACT_ALLOW", 3, {}}});
  EXPECT_THAT(error_of(bad), HasSubstr("linux.seccomp.syscalls[0].errnoRet"));
  bad = profile("SCMP_ACT_ALLOW", {{{"read"}, "SCMP_ACT_ERRNO", {}, {{0, 1, 0, "SCMP_CMP_XX"}}}});
  EXPECT_THAT(error_of(bad), HasSubstr("linux.seccomp.syscalls[0].args[0].op"));
  bad = profile("SCMP_ACT_ALLOW", {});
  bad.architectures = {"SCMP_ARCH_X86_64", "SCMP_ARCH_PDP11"};
  EXPECT_THAT(error_of(bad), HasSubstr("linux.seccomp.architectures[1]"));
  bad = profile("SCMP_ACT_ALLOW", {});
  bad.flags = {"SECCOMP_FILTER_FLAG_NO"};
  EXPECT_THAT(error_of(bad), HasSubstr("linux.seccomp.flags[0]"));
  EXPECT_THAT(error_of(profile("SCMP_ACT_NOTIFY", {})), HasSubstr("defaultAction"));
  EXPECT_THAT(error_of(profile("SCMP_ACT_ALLOW", {{{"mkdir"}, "SCMP_ACT_NOTIFY", {}, {}}})),
              HasSubstr("linux.seccomp.listenerPath"));
}

TEST(SeccompPlan, SkipsUnknownNamesOnlyWhereThatIsStricter) {
  const auto allowed = plan_seccomp(
      profile("SCMP_ACT_ERRNO", {{{"read", "flux_capacitor"}, "SCMP_ACT_ALLOW", {}, {}}}), {});
  ASSERT_TRUE(allowed.ok());
  EXPECT_THAT(allowed->summaries[0].skipped, testing::ElementsAre("flux_capacitor"));
  EXPECT_THAT(error_of(profile("SCMP_ACT_ALLOW", {{{"flux_capacitor"}, "SCMP_ACT_ERRNO", {}, {}}})),
              HasSubstr("unknown system call \"flux_capacitor\""));
  SeccompOptions options;
  options.unknown_calls = UnknownCalls::kFail;
  EXPECT_FALSE(
      plan_seccomp(profile("SCMP_ACT_ERRNO", {{{"flux_capacitor"}, "SCMP_ACT_ALLOW", {}, {}}}),
                   options)
          .ok());
  options.unknown_calls = UnknownCalls::kSkip;
  const auto skipped = plan_seccomp(
      profile("SCMP_ACT_ALLOW", {{{"flux_capacitor"}, "SCMP_ACT_ERRNO", {}, {}}}), options);
  ASSERT_TRUE(skipped.ok());
  EXPECT_THAT(skipped->summaries[0].skipped, testing::ElementsAre("flux_capacitor"));
}

TEST(SeccompPlan, TellsWhichUnknownCallsAreNotRefused) {
  SeccompOptions options;
  options.unknown_calls = UnknownCalls::kSkip;
  const auto plan =
      plan_seccomp(profile("SCMP_ACT_LOG", {{{"flux_capacitor"}, "SCMP_ACT_ERRNO", {}, {}},
                                            {{"hyperdrive"}, "SCMP_ACT_ALLOW", {}, {}}}),
                   options);
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(plan->summaries[0].skipped, testing::ElementsAre("flux_capacitor", "hyperdrive"));
  EXPECT_THAT(plan->summaries[0].unrefused, testing::ElementsAre("flux_capacitor"));
}

TEST(SeccompPlan, ARuleWithoutNamesDoesNothing) {
  const auto plan = plan_seccomp(profile("SCMP_ACT_ALLOW", {{{}, "SCMP_ACT_ERRNO", {}, {}},
                                                            {{"mkdir"}, "SCMP_ACT_ERRNO", {}, {}}}),
                                 {});
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(answer(*plan, "mkdir"), "EPERM");
  EXPECT_EQ(answer(*plan, "read"), "ALLOW");
}

TEST(SeccompPlan, AnswersNewerCallsWithENOSYS) {
  const auto old =
      plan_seccomp(profile("SCMP_ACT_ERRNO", {{{"read", "rseq"}, "SCMP_ACT_ALLOW", {}, {}}}), {});
  ASSERT_TRUE(old.ok());
  EXPECT_EQ(answer(*old, "read"), "ALLOW");
  EXPECT_EQ(answer(*old, "mkdir"), "EPERM");    // older than rseq: a decision
  EXPECT_EQ(answer(*old, "clone3"), "ENOSYS");  // newer: nobody has heard of it
  EXPECT_EQ(test::answer_of(*old, {0, "x32", "read", {}, ""}).value(), "KILL_THREAD");
  const auto open = plan_seccomp(profile("SCMP_ACT_ALLOW", {}), {});
  EXPECT_EQ(answer(*open, "999"), "ALLOW");
  const auto deadly =
      plan_seccomp(profile("SCMP_ACT_KILL_PROCESS", {{{"read"}, "SCMP_ACT_ALLOW", {}, {}}}), {});
  EXPECT_EQ(answer(*deadly, "999"), "KILL_PROCESS");
}

TEST(SeccompPlan, KnowsCallsNewerThanTheLibrary) {
  const auto plan = plan_seccomp(
      profile("SCMP_ACT_ERRNO",
              {{{"mseal"}, "SCMP_ACT_ALLOW", {}, {}}, {{"listmount"}, "SCMP_ACT_ERRNO", 13, {}}}),
      {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(answer(*plan, "mseal"), "ALLOW");
  EXPECT_EQ(answer(*plan, "listmount"), "EACCES");
  EXPECT_EQ(answer(*plan, "463"), "ENOSYS");
  const auto deny =
      plan_seccomp(profile("SCMP_ACT_ALLOW", {{{"mseal"}, "SCMP_ACT_ERRNO", {}, {}}}), {});
  ASSERT_TRUE(deny.ok());
  EXPECT_EQ(answer(*deny, "mseal"), "EPERM");
}

// libseccomp forgets the second rule and reports success.
TEST(SeccompPlan, KeepsARefusalBesideAnUnconditionalAllowance) {
  for (const bool refusal_first : {false, true}) {
    std::vector<oci::SeccompRule> rules = {
        {{"ioctl"}, "SCMP_ACT_ALLOW", {}, {}},
        {{"ioctl"}, "SCMP_ACT_ERRNO", 5, {{1, 0xffffffff, 0x5412, "SCMP_CMP_MASKED_EQ"}}}};
    if (refusal_first) std::swap(rules[0], rules[1]);
    const auto plan = plan_seccomp(profile("SCMP_ACT_ERRNO", rules), {});
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(answer(*plan, "ioctl", {0, 0x5412}), "EIO");
    EXPECT_EQ(answer(*plan, "ioctl", {0, 0x5413}), "ALLOW");
    EXPECT_EQ(answer(*plan, "read"), "EPERM");
  }
}

TEST(SeccompPlan, ComparisonsOfOneArgumentAreAlternatives) {
  const auto plan = plan_seccomp(
      profile("SCMP_ACT_ERRNO", {{{"personality"},
                                  "SCMP_ACT_ALLOW",
                                  {},
                                  {{0, 0, 0, "SCMP_CMP_EQ"}, {0, 8, 0, "SCMP_CMP_EQ"}}}}),
      {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(answer(*plan, "personality", {0}), "ALLOW");
  EXPECT_EQ(answer(*plan, "personality", {8}), "ALLOW");
  EXPECT_EQ(answer(*plan, "personality", {4}), "EPERM");
}

TEST(SeccompPlan, BoundsAreExact) {
  const auto with = [](std::uint32_t errno_value, std::uint32_t index) {
    return profile("SCMP_ACT_ALLOW",
                   {{{"mkdir"}, "SCMP_ACT_ERRNO", errno_value, {{index, 1, 0, "SCMP_CMP_EQ"}}}});
  };
  EXPECT_EQ(error_of(with(65535, 5)), "no error");
  EXPECT_THAT(error_of(with(65536, 5)), HasSubstr("syscalls[0].errnoRet: above 65535"));
  EXPECT_THAT(error_of(with(65535, 6)), HasSubstr("syscalls[0].args[0].index: a system call has"));
  oci::Seccomp many = profile("SCMP_ACT_ALLOW", {});
  for (std::uint32_t i = 1; i <= 1200; ++i) {
    many.syscalls.push_back({{"mkdir"}, "SCMP_ACT_ERRNO", i, {{1, i, 0, "SCMP_CMP_EQ"}}});
  }
  EXPECT_THAT(error_of(many), HasSubstr("instructions, the kernel takes 4096"));
}

TEST(SeccompPlan, OneProfileMayNotify) {
  oci::Seccomp asks = profile("SCMP_ACT_ALLOW", {{{"mkdir"}, "SCMP_ACT_NOTIFY", {}, {}}});
  asks.listener_path = "/run/agent.sock";
  const SeccompSource first{"first", asks, {}};
  const SeccompSource second{"second", asks, {}};
  EXPECT_TRUE(plan_seccomp({first}, {}).ok());
  const auto both = plan_seccomp({first, second}, {});
  ASSERT_FALSE(both.ok());
  EXPECT_THAT(both.error().to_string(), HasSubstr("second: a second profile with SCMP_ACT_NOTIFY"));
}

TEST(SeccompPlan, AFilterThatRefusesSeccompIsLoadedLast) {
  const SeccompSource closed{
      "closed", profile("SCMP_ACT_ALLOW", {{{"seccomp"}, "SCMP_ACT_ERRNO", {}, {}}}), {}};
  const SeccompSource open{"open", profile("SCMP_ACT_ALLOW", {}), {}};
  const auto plan = plan_seccomp({closed, open}, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->filters[0].name, "open");
  EXPECT_EQ(plan->filters[1].name, "closed");
  EXPECT_FALSE(plan_seccomp({closed, closed}, {}).ok());
  auto stacked = plan_seccomp({closed}, {});
  ASSERT_TRUE(stacked.ok());
  ASSERT_TRUE(stack_seccomp(open, {}, *stacked).ok());
  EXPECT_EQ(stacked->filters[0].name, "open");
  EXPECT_EQ(stacked->summaries.size(), 2U);
  EXPECT_FALSE(stack_seccomp(closed, {}, *stacked).ok());
}

class Cache : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "seccomp-cache-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    options_.cache_directory = root_ + "/.cache/seccomp";
  }
  void TearDown() override {
    for (const std::string& file : entries())
      ::unlink((options_.cache_directory + "/" + file).c_str());
    ::rmdir(options_.cache_directory.c_str());
    ::rmdir((root_ + "/.cache").c_str());
    ::rmdir(root_.c_str());
  }
  [[nodiscard]] std::vector<std::string> entries() const;
  [[nodiscard]] bool planned_from_cache(const oci::Seccomp& wanted) const {
    return plan_seccomp(wanted, options_)->summaries[0].from_cache;
  }
  std::string root_;
  SeccompOptions options_;
  const oci::Seccomp wanted_ =
      profile("SCMP_ACT_ERRNO", {{{"read", "flux_capacitor"}, "SCMP_ACT_ALLOW", {}, {}}});
};

std::vector<std::string> Cache::entries() const {
  std::vector<std::string> names;
  const std::string command = "ls " + options_.cache_directory + " 2>/dev/null";
  FILE* listing = ::popen(command.c_str(), "r");
  char line[256];
  while (std::fgets(line, sizeof(line), listing) != nullptr) {
    names.emplace_back(line, std::string_view(line).find('\n'));
  }
  ::pclose(listing);
  return names;
}

TEST_F(Cache, GivesTheSameFilterAgain) {
  const auto first = plan_seccomp(wanted_, options_);
  const auto second = plan_seccomp(wanted_, options_);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE(first->summaries[0].from_cache);
  EXPECT_TRUE(second->summaries[0].from_cache);
  EXPECT_EQ(first->filters[0].program.size(), second->filters[0].program.size());
  EXPECT_EQ(answer(*second, "read"), "ALLOW");
  EXPECT_EQ(answer(*second, "write"), "EPERM");
  EXPECT_EQ(second->summaries[0].skipped, first->summaries[0].skipped);
  EXPECT_EQ(second->summaries[0].unrefused, first->summaries[0].unrefused);
  oci::Seccomp other = wanted_;
  other.syscalls[0].errno_ret.reset();
  other.syscalls[0].names.push_back("write");
  EXPECT_FALSE(planned_from_cache(other));
}

// Each differs from the others in one part, and none may get another one's filter.
TEST_F(Cache, NoTwoProfilesShareAnEntry) {
  const oci::Seccomp base = profile(
      "SCMP_ACT_ERRNO", {{{"read"}, "SCMP_ACT_ERRNO", 5, {{0, 1, 2, "SCMP_CMP_MASKED_EQ"}}}});
  std::vector<oci::Seccomp> all(13, base);
  all[1].default_errno_ret = 6;
  all[2].default_errno_ret = 7;
  all[3].default_action = "SCMP_ACT_TRACE";
  all[4].architectures = {"SCMP_ARCH_X86"};
  all[5].flags = {"SECCOMP_FILTER_FLAG_LOG"};
  all[6].flags_present = true;
  all[7].syscalls[0].names = {"write"};
  all[8].syscalls[0].errno_ret = 6;
  all[9].syscalls[0].args[0].index = 1;
  all[10].syscalls[0].args[0].value = 3;
  all[11].syscalls[0].args[0].value_two = 1;
  all[12].syscalls[0].args[0].op = "SCMP_CMP_GT";
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_FALSE(planned_from_cache(all[i])) << "profile " << i << " got another one's filter";
  }
  EXPECT_EQ(entries().size(), all.size());
  EXPECT_EQ(answer(*plan_seccomp(all[1], options_), "close"), "ENXIO");
  EXPECT_EQ(answer(*plan_seccomp(all[2], options_), "close"), "E2BIG");
}

TEST_F(Cache, TornOrForeignEntriesAreMisses) {
  ASSERT_FALSE(planned_from_cache(wanted_));
  ASSERT_EQ(entries().size(), 1U);
  const std::string path = options_.cache_directory + "/" + entries()[0];
  const int file = ::open(path.c_str(), O_WRONLY);
  ASSERT_EQ(::pwrite(file, "\xff", 1, 400), 1);
  ::close(file);
  EXPECT_FALSE(planned_from_cache(wanted_));
  EXPECT_TRUE(planned_from_cache(wanted_));  // written anew
  ASSERT_EQ(::truncate(path.c_str(), 100), 0);
  EXPECT_FALSE(planned_from_cache(wanted_));
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  EXPECT_FALSE(planned_from_cache(wanted_));
  ASSERT_EQ(::chmod(options_.cache_directory.c_str(), 0777), 0);
  EXPECT_FALSE(planned_from_cache(wanted_));
}

TEST_F(Cache, StaysBounded) {
  for (std::uint32_t i = 1; i <= 80; ++i) {
    ASSERT_FALSE(
        planned_from_cache(profile("SCMP_ACT_ALLOW", {{{"mkdir"}, "SCMP_ACT_ERRNO", i, {}}})));
  }
  EXPECT_LE(entries().size(), 64U);
}

}  // namespace
}  // namespace langsbx::confine
