// The choice of a tier, and what it says about itself.
#include "runtime/execute/tiers.h"

#include <gtest/gtest.h>

#include "runtime/execute/light_seccomp.h"
#include "runtime/execute/oci_runtime.h"

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
  EXPECT_TRUE(refuses(light_seccomp(true, true), "socket"));
  EXPECT_FALSE(refuses(light_seccomp(false, true), "socket"));
}

TEST(LightSeccomp, SignalsGoWhereNothingElseKeepsThem) {
  EXPECT_FALSE(refuses(light_seccomp(true, true), "kill"));
  EXPECT_TRUE(refuses(light_seccomp(true, false), "kill"));
}

TEST(LightSeccomp, Compiles) {
  for (const bool one : {true, false}) {
    for (const bool other : {true, false}) {
      EXPECT_TRUE(confine::plan_seccomp({light_seccomp(one, other)}, {}).ok());
    }
  }
}

}  // namespace
}  // namespace langsbx::execute
