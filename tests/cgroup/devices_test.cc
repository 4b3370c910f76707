// Device rules: what config.json means, as v1 exceptions and as a program run in an emulator.
#include "runtime/cgroup/devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/bpf.h>

#include <bit>

#include "tests/support/ebpf_emulator.h"

namespace langsbx::cgroup {
namespace {

using ::testing::HasSubstr;
using Rules = std::vector<oci::DeviceRule>;

oci::DeviceRule rule(bool allow, std::string type, std::optional<std::int64_t> major,
                     std::optional<std::int64_t> minor, std::string access) {
  return {allow, std::move(type), major, minor, std::move(access)};
}

bool program_allows(const Rules& rules, char type, std::uint32_t major, std::uint32_t minor,
                    std::uint8_t access) {
  const auto parsed = device_rules(rules);
  EXPECT_TRUE(parsed.ok());
  const auto program = device_program(*parsed);
  if (program.empty()) return true;
  const std::uint32_t kind = type == 'b' ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR;
  const auto answer = langsbx::test::run_device_program(
      program, {.type = kind, .access = access, .major = major, .minor = minor});
  EXPECT_TRUE(answer.has_value()) << "not a valid program";
  return answer.value_or(0) == 1;
}

const Rules kDocker = {rule(false, "", {}, {}, "rwm"), rule(true, "c", 1, 5, "rwm"),
                       rule(true, "b", 8, {}, "r")};

TEST(DeviceProgram, EmptyListDeniesAllButTheDefaults) {
  EXPECT_TRUE(program_allows({}, 'c', 1, 3, kMayAll));
  EXPECT_TRUE(program_allows({}, 'c', 136, 17, kMayRead | kMayWrite));
  EXPECT_TRUE(program_allows({}, 'c', 10, 200, kMayRead));
  EXPECT_TRUE(program_allows({}, 'b', 8, 0, kMayMknod));
  EXPECT_FALSE(program_allows({}, 'b', 8, 0, kMayRead));
  EXPECT_FALSE(program_allows({}, 'b', 8, 0, kMayRead | kMayMknod));
  EXPECT_FALSE(program_allows({}, 'c', 1, 1, kMayRead));  // /dev/mem
  EXPECT_FALSE(program_allows({}, 'b', 1, 3, kMayRead));  // block, not char
}

TEST(DeviceProgram, AccessesAddUpOverRules) {
  EXPECT_TRUE(program_allows(kDocker, 'b', 8, 3, kMayRead));
  EXPECT_TRUE(program_allows(kDocker, 'b', 8, 3, kMayRead | kMayMknod));  // mknod is a default
  EXPECT_FALSE(program_allows(kDocker, 'b', 8, 3, kMayRead | kMayWrite));
  EXPECT_FALSE(program_allows(kDocker, 'b', 9, 3, kMayRead));
}

TEST(DeviceProgram, LaterRuleWins) {
  const Rules rules = {rule(true, "b", {}, {}, "rwm"), rule(false, "b", 8, 1, "w")};
  EXPECT_TRUE(program_allows(rules, 'b', 8, 0, kMayAll));
  EXPECT_TRUE(program_allows(rules, 'b', 8, 1, kMayRead));
  EXPECT_FALSE(program_allows(rules, 'b', 8, 1, kMayRead | kMayWrite));
}

TEST(DeviceProgram, AllowAllNeedsNoProgram) {
  const auto rules = device_rules({rule(true, "a", {}, {}, "rwm")});
  EXPECT_TRUE(device_program(*rules).empty());
  const auto but_one =
      device_rules({rule(true, "a", {}, {}, "rwm"), rule(false, "c", 1, 1, "rwm")});
  EXPECT_FALSE(device_program(*but_one).empty());
}

TEST(DeviceProgram, NothingFollowsAnUnconditionalAnswer) {
  const auto program = device_program(*device_rules({}));
  const auto last = std::bit_cast<bpf_insn>(program.back());
  EXPECT_EQ(last.code, BPF_JMP | BPF_EXIT);
  // The answer of the first rule (deny all) ends the program: no second tail behind it.
  const auto before = std::bit_cast<bpf_insn>(program[program.size() - 3]);
  EXPECT_EQ(before.code, BPF_JMP | BPF_EXIT);
}

// runc's own suite says "rwa". What the letter was meant for is not known: it must open nothing.
TEST(DeviceRules, AnUnknownLetterGrantsNothingAndDeniesAll) {
  const Rules allowed{rule(true, "c", 1, 11, "ra")};
  EXPECT_TRUE(program_allows(allowed, 'c', 1, 11, kMayRead));
  EXPECT_FALSE(program_allows(allowed, 'c', 1, 11, kMayWrite));
  const Rules denied{rule(true, "c", 1, 11, "rwm"), rule(false, "c", 1, 11, "ra")};
  EXPECT_FALSE(program_allows(denied, 'c', 1, 11, kMayRead));
  EXPECT_FALSE(program_allows(denied, 'c', 1, 11, kMayWrite));
}

TEST(DeviceRules, RefuseWhatIsNoRule) {
  const auto refused = [](const oci::DeviceRule& bad) {
    const auto rules = device_rules({rule(true, "c", 1, 3, "r"), bad});
    return rules.ok() ? std::string() : rules.error().message;
  };
  EXPECT_THAT(refused(rule(true, "x", 1, 3, "r")), HasSubstr("linux.resources.devices[1].type"));
  EXPECT_THAT(refused(rule(true, "c", 1, 3, "x")), HasSubstr("devices[1].access"));
  EXPECT_THAT(refused(rule(true, "c", -2, 3, "r")), HasSubstr("devices[1].major"));
  EXPECT_THAT(refused(rule(true, "c", 1, 1LL << 40, "r")), HasSubstr("devices[1].minor"));
}

std::vector<std::string> lines(const DeviceExceptions& policy) {
  std::vector<std::string> result;
  for (const auto& exception : policy.exceptions) result.push_back(device_line(exception));
  return result;
}

TEST(DeviceExceptionsOfV1, DefaultsStandBehindDenyAll) {
  const auto policy = device_exceptions(*device_rules(kDocker));
  ASSERT_TRUE(policy.ok());
  EXPECT_FALSE(policy->default_allow);
  EXPECT_THAT(lines(*policy),
              ::testing::IsSupersetOf({"c 1:5 rwm", "b 8:* r", "c *:* m", "b *:* m", "c 1:3 rwm"}));
  EXPECT_EQ(lines(*policy).size(), 12U);  // 1:5 is given and a default
}

TEST(DeviceExceptionsOfV1, DenyTakesBack) {
  const auto policy = device_exceptions(
      *device_rules({rule(true, "b", 8, 1, "rwm"), rule(false, "b", 8, {}, "w")}));
  ASSERT_TRUE(policy.ok());
  EXPECT_THAT(lines(*policy), ::testing::Contains("b 8:1 rm"));
}

TEST(DeviceExceptionsOfV1, RefuseWhatTheKernelWouldSilentlyIgnore) {
  const auto policy = device_exceptions(
      *device_rules({rule(true, "b", 8, {}, "rwm"), rule(false, "b", 8, 1, "w")}));
  ASSERT_FALSE(policy.ok());
  EXPECT_THAT(policy.error().message, HasSubstr("linux.resources.devices[1]"));
}

TEST(DeviceExceptionsOfV1, PrivilegedIsAllowWithoutExceptions) {
  const auto policy = device_exceptions(*device_rules({rule(true, "a", {}, {}, "rwm")}));
  ASSERT_TRUE(policy.ok());
  EXPECT_TRUE(policy->default_allow);
  EXPECT_TRUE(policy->exceptions.empty());
}

TEST(DeviceUpdate, TemplateOfCriIsNoWish) {
  EXPECT_TRUE(only_denies_everything({rule(false, "", {}, {}, "rwm")}));
  EXPECT_TRUE(only_denies_everything({}));
  EXPECT_FALSE(only_denies_everything(kDocker));
  EXPECT_FALSE(only_denies_everything({rule(false, "c", 1, 1, "rwm")}));
}

}  // namespace
}  // namespace langsbx::cgroup
