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

// What each call gets under the filter alone.
class Answers {
 public:
  explicit Answers(const LightLimits& limits)
      : plan_(confine::plan_seccomp({light_seccomp(limits)}, {})) {}
  [[nodiscard]] std::string of(const char* call, std::vector<std::uint64_t> args = {}) const {
    if (!plan_.ok()) return plan_.error().to_string();
    return test::answer_of(*plan_, {0, "x86_64", call, std::move(args), ""}).value_or("?");
  }

 private:
  Result<confine::SeccompPlan> plan_;
};

constexpr std::uint64_t kUpperBit = std::uint64_t{1} << 32U;

// TIPC has pairs, too, and an end of one sends to whom it likes.
TEST(LightSeccomp, OnlyAPairOfUnixSocketsStaysHere) {
  const Answers answers({.network = false, .named_sockets = true});
  EXPECT_EQ(answers.of("socketpair", {1, 1, 0}), "ALLOW");
  for (const std::uint64_t family : {0U, 2U, 10U, 16U, 30U, 43U}) {
    EXPECT_EQ(answers.of("socketpair", {family, 5, 0}), "EPERM") << family;
  }
}

TEST(LightSeccomp, PrioritiesOfOthersStay) {
  const Answers answers({});
  EXPECT_EQ(answers.of("setpriority", {0, 0, 5}), "ALLOW") << "its own";
  EXPECT_EQ(answers.of("setpriority", {0, 77, 5}), "EPERM");
  EXPECT_EQ(answers.of("setpriority", {1, 0, 5}), "EPERM") << "its group";
  EXPECT_EQ(answers.of("setpriority", {2, 0, 5}), "EPERM") << "all that its user runs";
  EXPECT_EQ(answers.of("setpriority", {kUpperBit, 0, 5}), "EPERM");
  EXPECT_EQ(answers.of("ioprio_set", {1, 0, 5}), "ALLOW") << "its own";
  EXPECT_EQ(answers.of("ioprio_set", {1, 77, 5}), "EPERM");
  EXPECT_EQ(answers.of("ioprio_set", {2, 0, 5}), "EPERM") << "its group";
  EXPECT_EQ(answers.of("ioprio_set", {3, 0, 5}), "EPERM") << "all that its user runs";
  for (const char* call : {"prlimit64", "sched_setscheduler", "sched_setattr", "sched_setparam",
                           "sched_setaffinity", "migrate_pages", "move_pages"}) {
    EXPECT_EQ(answers.of(call, {0}), "ALLOW") << call;
    EXPECT_EQ(answers.of(call, {77}), "EPERM") << call;
  }
}

TEST(LightSeccomp, ADescriptorSignalsNobodyWhereNothingElseKeepsSignals) {
  const Answers mute({.network = true, .own_signals = false});
  const Answers scoped({.network = true, .own_signals = true});
  for (const auto& [call, command] :
       std::vector<std::pair<const char*, std::uint64_t>>{{"fcntl", 8},  // F_SETOWN
                                                          {"fcntl", 15},
                                                          {"fcntl", kUpperBit + 8},
                                                          {"ioctl", 0x8901},  // FIOSETOWN
                                                          {"ioctl", 0x8902}}) {
    EXPECT_EQ(mute.of(call, {3, command, 1}), "EPERM") << call << " " << command;
  }
  EXPECT_EQ(scoped.of("fcntl", {3, 8, 1}), "ALLOW");
  EXPECT_EQ(mute.of("fcntl", {3, 9, 1}), "ALLOW") << "F_GETOWN";
  EXPECT_EQ(mute.of("ioctl", {3, 0x5401, 1}), "ALLOW") << "TCGETS";
}

TEST(LightSeccomp, NobodyIsToldOfNewNames) {
  const Answers answers({true, true, true, true});
  for (const char* call :
       {"inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init", "fanotify_mark"}) {
    EXPECT_EQ(answers.of(call), "EPERM") << call;
  }
}

TEST(LightSeccomp, InterfacesAreAskedForWithTheNetworkOnly) {
  const Answers without({.network = false});
  EXPECT_EQ(without.of("ioctl", {3, 0x8912, 1}), "EPERM") << "SIOCGIFCONF";
  EXPECT_EQ(without.of("ioctl", {3, 0x89ff, 1}), "EPERM");
  EXPECT_EQ(without.of("ioctl", {3, kUpperBit + 0x8900, 1}), "EPERM");
  EXPECT_EQ(without.of("ioctl", {3, 0x8a00, 1}), "ALLOW");
  EXPECT_EQ(without.of("ioctl", {3, 0x88ff, 1}), "ALLOW");
  EXPECT_EQ(Answers({.network = true, .own_signals = true}).of("ioctl", {3, 0x8912, 1}), "ALLOW");
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
