// Which architectures a profile lists, and in which order, takes no rule away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <seccomp.h>

#include <algorithm>

#include "runtime/confine/bpf.h"
#include "runtime/confine/seccomp_check.h"
#include "runtime/confine/seccomp_compile.h"
#include "tests/support/bpf_emulator.h"

namespace langsbx::confine {
namespace {

using Names = std::vector<std::string>;

std::string answer(const oci::Seccomp& profile, const std::string& architecture, std::string call,
                   std::vector<std::uint64_t> args = {}) {
  const auto plan = plan_seccomp(profile, {});
  if (!plan.ok()) return plan.error().to_string();
  return test::answer_of(*plan, {0, architecture, std::move(call), std::move(args), ""})
      .value_or("?");
}

oci::Seccomp deny_list(Names architectures) {
  oci::Seccomp profile;
  profile.default_action = "SCMP_ACT_ALLOW";
  profile.architectures = std::move(architectures);
  profile.syscalls = {{{"socket"}, "SCMP_ACT_ERRNO", 77, {{0, 40, 0, "SCMP_CMP_EQ"}}},
                      {{"ioctl"}, "SCMP_ACT_ERRNO", 78, {{1, 0x5412, 0, "SCMP_CMP_EQ"}}},
                      {{"mkdir"}, "SCMP_ACT_ERRNO", 30, {}},
                      {{"mount_setattr"}, "SCMP_ACT_ERRNO", 79, {}}};
  return profile;
}

void expect_refusals(const Names& architectures) {
  SCOPED_TRACE(testing::PrintToString(architectures));
  const auto profile = deny_list(architectures);
  EXPECT_EQ(answer(profile, "x86_64", "socket", {40}), "EBADFD");
  EXPECT_EQ(answer(profile, "x86_64", "socket", {2}), "ALLOW");
  EXPECT_EQ(answer(profile, "x86_64", "ioctl", {0, 0x5412}), "EREMCHG");
  EXPECT_EQ(answer(profile, "x86_64", "mkdir"), "EROFS");
  EXPECT_EQ(answer(profile, "x86_64", "mount_setattr"), "ELIBACC");
  EXPECT_EQ(answer(profile, "x86_64", "read"), "ALLOW");
  const auto lists = [&](const char* name) {
    return std::find(architectures.begin(), architectures.end(), name) != architectures.end();
  };
  for (const auto& [architecture, name] :
       {std::pair{"x32", "SCMP_ARCH_X32"}, std::pair{"x86", "SCMP_ARCH_X86"}}) {
    const bool listed = lists(name);
    EXPECT_EQ(answer(profile, architecture, "ioctl", {0, 0x5412}),
              listed ? "EREMCHG" : "KILL_THREAD");
    EXPECT_EQ(answer(profile, architecture, "mount_setattr"), listed ? "ELIBACC" : "KILL_THREAD");
    EXPECT_EQ(answer(profile, architecture, "read"), listed ? "ALLOW" : "KILL_THREAD");
  }
}

#if defined(__x86_64__)
// With x32 first, and with foreign ones only, refusals by argument were lost; without the native
// one every program was killed.
TEST(SeccompArchitectures, NoOrderLosesARefusal) {
  Names all = {"SCMP_ARCH_AARCH64", "SCMP_ARCH_X32", "SCMP_ARCH_X86", "SCMP_ARCH_X86_64"};
  expect_refusals({});
  for (unsigned subset = 1; subset < 16; ++subset) {
    Names chosen;
    for (unsigned i = 0; i < all.size(); ++i) {
      if ((subset >> i & 1U) != 0) chosen.push_back(all[i]);
    }
    do expect_refusals(chosen);
    while (std::next_permutation(chosen.begin(), chosen.end()));
  }
}

TEST(SeccompArchitectures, AnUnknownCallHasNoNumberBesideX32) {
  oci::Seccomp profile;
  profile.default_action = "SCMP_ACT_ERRNO";
  profile.architectures = {"SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"};
  profile.syscalls = {{{"read", "ioctl", "clone3"}, "SCMP_ACT_ALLOW", {}, {}}};
  for (const char* architecture : {"x86_64", "x86"}) {
    EXPECT_EQ(answer(profile, architecture, "600"), "ENOSYS") << architecture;
    EXPECT_EQ(answer(profile, architecture, "436"), "ENOSYS") << architecture;
    EXPECT_EQ(answer(profile, architecture, "435"), "ALLOW") << architecture;
    EXPECT_EQ(answer(profile, architecture, "434"), "EPERM") << architecture;
  }
}

// socket has number 359 on i386, behind all others that are named.
TEST(SeccompArchitectures, AnAllowedCallThatDoorsAlsoCarryIsNotTooNew) {
  oci::Seccomp profile;
  profile.default_action = "SCMP_ACT_ERRNO";
  profile.architectures = {"SCMP_ARCH_X86"};
  profile.syscalls = {{{"read", "socket"}, "SCMP_ACT_ALLOW", {}, {}}};
  EXPECT_EQ(answer(profile, "x86", "359"), "ALLOW");
  EXPECT_EQ(answer(profile, "x86", "360"), "ENOSYS");
}

class SeccompCheck : public testing::Test {
 protected:
  void SetUp() override {
    const auto compiled = compile_seccomp(profile_, "p", UnknownCalls::kFail);
    ASSERT_TRUE(compiled.ok()) << compiled.error().to_string();
    program_ = compiled->filter.program;
    by_default_ = read_default(profile_, "p").release_value();
    rules_ = read_rules(profile_, "p", UnknownCalls::kFail, by_default_).release_value();
  }
  [[nodiscard]] Result<void> check() const {
    return check_filter(program_, rules_, by_default_, {SCMP_ARCH_X86_64, SCMP_ARCH_X86});
  }
  // The filter forgets this errno.
  void forget(std::uint32_t errno_value) {
    for (sock_filter& step : program_) {
      if (step.code == (BPF_RET | BPF_K) && step.k == (SECCOMP_RET_ERRNO | errno_value)) {
        step.k = SECCOMP_RET_ALLOW;
      }
    }
  }
  oci::Seccomp profile_ = deny_list({"SCMP_ARCH_X86_64", "SCMP_ARCH_X86"});
  std::vector<sock_filter> program_;
  Verdict by_default_;
  ProfileRules rules_;
};

TEST_F(SeccompCheck, AFilterThatSaysWhatItsRulesSayPasses) {
  const auto checked = check();
  EXPECT_TRUE(checked.ok()) << checked.error().to_string();
}

TEST_F(SeccompCheck, AFilterThatForgetsARefusalIsAnError) {
  const std::vector<sock_filter> whole = program_;
  for (const std::uint32_t errno_value : {77U, 78U, 30U, 79U}) {
    program_ = whole;
    forget(errno_value);
    const auto checked = check();
    ASSERT_FALSE(checked.ok()) << errno_value;
    EXPECT_THAT(checked.error().to_string(), testing::HasSubstr("the compiled filter"));
  }
}

TEST_F(SeccompCheck, AComparisonOfOneHalfOnlyIsAnError) {
  profile_.syscalls = {{{"read"}, "SCMP_ACT_ERRNO", 5, {{2, 0x100000007, 0, "SCMP_CMP_GT"}}}};
  SetUp();
  ASSERT_TRUE(check().ok());
  for (sock_filter& step : program_) {
    if (BPF_CLASS(step.code) == BPF_JMP && BPF_OP(step.code) == BPF_JGT && step.k == 7) step.k = 8;
  }
  EXPECT_FALSE(check().ok());
}
#endif

}  // namespace
}  // namespace langsbx::confine
