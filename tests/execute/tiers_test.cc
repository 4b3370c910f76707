// The choice of a tier, and what it says about itself.
#include "runtime/execute/tiers.h"

#include <gtest/gtest.h>

#include "runtime/execute/light_seccomp.h"
#include "runtime/execute/oci_runtime.h"
#include "tests/support/bpf_emulator.h"

namespace langsbx::execute {
namespace {

TEST(Tiers, NamesAreReadBack) {
  for (const Tier tier : {Tier::kOff, Tier::kLight, Tier::kContainer, Tier::kMaximum}) {
    EXPECT_EQ(*parse_tier(to_string(tier)), tier);
  }
  EXPECT_FALSE(parse_tier("auto")->has_value());
  EXPECT_FALSE(parse_tier("medium").ok());
}

TEST(Tiers, ANamedOneIsTaken) { EXPECT_EQ(first_choice(Tier::kOff).tier, Tier::kOff); }

TEST(Tiers, TheAutomaticChoiceIsNeverOff) {
  EXPECT_EQ(first_choice({}).tier, Tier::kContainer);
  const auto weaker = after_refusal(system_error("clone3", EPERM));
  EXPECT_EQ(weaker.tier, Tier::kLight);
  EXPECT_NE(weaker.reason.find("clone3: operation not permitted"), std::string::npos);
}

TEST(Tiers, ANamedRuntimeHasToBeThere) {
  EXPECT_FALSE(find_oci_runtime("/nonexistent/runtime").ok());
  EXPECT_FALSE(find_oci_runtime("true").ok()) << "not looked up along PATH";
  EXPECT_EQ(*find_oci_runtime("/bin/sh"), "/bin/sh");
}

bool refuses(const confine::SeccompSource& source, const std::string& call) {
  for (const auto& rule : source.profile.syscalls) {
    for (const auto& name : rule.names) {
      if (name == call && rule.args.empty()) return true;
    }
  }
  return false;
}

TEST(LightSeccomp, SocketsGoWithTheNetwork) {
  EXPECT_TRUE(refuses(light_seccomp({.network = false, .named_sockets = true}), "socket"));
  EXPECT_FALSE(refuses(light_seccomp({.network = true, .named_sockets = true}), "socket"));
}

TEST(LightSeccomp, SignalsGoWhereNothingElseKeepsThem) {
  EXPECT_FALSE(refuses(light_seccomp({.own_signals = true}), "kill"));
  EXPECT_TRUE(refuses(light_seccomp({.own_signals = false}), "kill"));
}

TEST(LightSeccomp, FilesOfTheCallersOwnAreNotChangedByName) {
  EXPECT_FALSE(refuses(light_seccomp({.own_files = true}), "chmod"));
  const auto plan = confine::plan_seccomp({light_seccomp({.own_files = false})}, {});
  ASSERT_TRUE(plan.ok());
  const auto answer = [&](const char* call, std::vector<std::uint64_t> args = {}) {
    return test::answer_of(*plan, {0, "x86_64", call, std::move(args), ""}).value_or("?");
  };
  for (const char* call :
       {"chmod", "fchmodat", "fchmodat2", "fchownat", "setxattr", "setxattrat"}) {
    EXPECT_EQ(answer(call), "EPERM") << call;
  }
  EXPECT_EQ(answer("utimensat", {7, 0}), "ALLOW") << "of a descriptor";
  EXPECT_EQ(answer("utimensat", {7, 0x1000}), "EPERM");
  EXPECT_EQ(answer("fchmod"), "ALLOW");
}

TEST(LightSeccomp, NoSocketReachesOneOfTheHostByItsName) {
  const auto plan = confine::plan_seccomp({light_seccomp({.network = true})}, {});
  ASSERT_TRUE(plan.ok());
  const auto answer = [&](const char* call, std::vector<std::uint64_t> args) {
    return test::answer_of(*plan, {0, "x86_64", call, std::move(args), ""}).value_or("?");
  };
  EXPECT_EQ(answer("socket", {1, 1}), "EPERM");
  EXPECT_EQ(answer("socket", {0xffffffff00000001, 1}), "EPERM");
  EXPECT_EQ(answer("socket", {2, 1}), "ALLOW");
  EXPECT_EQ(answer("socketpair", {1, 1}), "ALLOW");
  EXPECT_EQ(answer("socketpair", {1, 0x80002}), "EPERM") << "datagrams, close-on-exec";
}

TEST(LightSeccomp, Compiles) {
  for (unsigned bits = 0; bits < 16; ++bits) {
    const LightLimits limits{(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0,
                             (bits & 8U) != 0};
    EXPECT_TRUE(confine::plan_seccomp({light_seccomp(limits)}, {}).ok());
  }
}

}  // namespace
}  // namespace langsbx::execute
