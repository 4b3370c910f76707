// A step towards the program's confinement that fails, or that only seems to have been made, is an
// error: nothing is started without it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string>
#include <vector>

#include "runtime/confine/identity.h"
#include "runtime/confine/landlock.h"
#include "runtime/confine/no_new_privs.h"
#include "runtime/confine/rlimits.h"
#include "runtime/confine/scheduling.h"
#include "runtime/kernel/landlock.h"
#include "tests/support/answered_call.h"
#include "tests/support/in_child.h"

namespace langsbx::confine {
namespace {

using test::AnsweredCall;
using test::failed;
using test::in_child;

constexpr CapabilitySet kChown = CapabilitySet{1} << CAP_CHOWN;

struct Step {
  std::string name;
  AnsweredCall call;
  std::function<std::string()> make;
};

std::string become_somebody() {
  CapabilityPlan capabilities;
  capabilities.permitted = capabilities.inheritable = capabilities.ambient = kChown;
  capabilities.bounding = capabilities.effective = kChown;
  oci::User user;
  user.uid = 7;
  user.gid = 8;
  user.additional_gids = {9};
  return failed(apply_identity(*plan_identity(user, capabilities, true, false)));
}

std::string enter_layers(int abi) {
  const oci::Spec spec;
  const auto plan = plan_landlock({&spec, {}, abi, false});
  const int root = ::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return failed(apply_landlock(*plan, root));
}

std::string limit_files() {
  return failed(apply_rlimits(*plan_rlimits({{"RLIMIT_NOFILE", 100, 200}})));
}

std::vector<Step> identity_steps() {
  return {
      {"bounding set", {SYS_prctl, PR_CAPBSET_DROP}, become_somebody},
      {"setgroups", {SYS_setgroups}, become_somebody},
      {"setresgid", {SYS_setresgid}, become_somebody},
      {"setresuid", {SYS_setresuid}, become_somebody},
      {"capset", {SYS_capset}, become_somebody},
      {"ambient set", {SYS_prctl, PR_CAP_AMBIENT}, become_somebody},
      {"no_new_privs", {SYS_prctl, PR_SET_NO_NEW_PRIVS}, [] { return failed(set_no_new_privs()); }},
  };
}

class Steps : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  }
  // What the step says in a child where the call is answered so.
  static std::string said(const Step& step, std::uint32_t errno_value) {
    return in_child([&]() -> std::string {
      if (!test::answer_call(step.call, errno_value)) return "no filter";
      return step.make();
    });
  }
};

TEST_F(Steps, AreMadeWhereNothingStandsInTheWay) {
  for (const Step& step : identity_steps()) EXPECT_EQ(in_child(step.make), "") << step.name;
}

TEST_F(Steps, ARefusedCallIsAnError) {
  auto steps = identity_steps();
  const auto add = [&steps](std::string name, AnsweredCall call,
                            std::function<std::string()> make) {
    steps.push_back({std::move(name), call, std::move(make)});
  };
  add("keep capabilities", {SYS_prctl, PR_SET_KEEPCAPS}, become_somebody);
  add("dumpable", {SYS_prctl, PR_SET_DUMPABLE}, become_somebody);
  add("rlimits", {SYS_prlimit64}, limit_files);
  add("lowered rlimits", {SYS_prlimit64}, [] {
    return failed(lower_rlimits(*plan_rlimits({{"RLIMIT_NOFILE", 100, 200}})));
  });
  add("affinity", {SYS_sched_setaffinity}, [] { return failed(stay_on_processors(1)); });
  if (const int abi = landlock_abi(); abi >= 2) {
    const auto enter = [abi] { return enter_layers(abi); };
    add("ruleset", {SYS_landlock_create_ruleset}, enter);
    add("rule", {SYS_landlock_add_rule}, enter);
    add("domain", {SYS_landlock_restrict_self}, enter);
  }
  for (const Step& step : steps) {
    EXPECT_THAT(said(step, EIO), testing::HasSubstr("failed: ")) << step.name;
  }
}

// What can be read back is: a call that reports success and does nothing does not get by.
TEST_F(Steps, ACallThatOnlyPretendsIsNoticed) {
  for (const Step& step : identity_steps()) {
    EXPECT_THAT(said(step, 0), testing::HasSubstr("failed: ")) << step.name;
  }
}

TEST(Capabilities, MoreThanPlannedIsAnErrorInEachSet) {
  CapabilityPlan plan;
  plan.bounding = plan.permitted = plan.effective = plan.inheritable = plan.ambient = kChown;
  OwnStatus status;
  status.bounding = status.permitted = status.effective = status.inheritable = status.ambient =
      kChown;
  ASSERT_EQ(failed(verify_capabilities(plan, status)), "");
  for (auto set : {&OwnStatus::bounding, &OwnStatus::permitted, &OwnStatus::effective,
                   &OwnStatus::inheritable, &OwnStatus::ambient}) {
    OwnStatus more = status;
    more.*set |= CapabilitySet{1} << CAP_SYS_ADMIN;
    EXPECT_THAT(failed(verify_capabilities(plan, more)),
                testing::HasSubstr("left over CAP_SYS_ADMIN"));
    OwnStatus less = status;
    less.*set = 0;
    // A parent's limit may have made the bounding set smaller.
    const bool may_be_less = set == &OwnStatus::bounding;
    EXPECT_EQ(verify_capabilities(plan, less).ok(), may_be_less);
  }
}

TEST(Rlimits, AreOnlyLoweredAndBothOfThem) {
  struct Case {
    rlim_t soft, hard, soft_after, hard_after;
  };
  for (const Case& wanted :
       {Case{50, 60, 50, 60}, Case{100, 200, 100, 200}, Case{150, 160, 100, 160},
        Case{500, 600, 100, 200}, Case{70, 600, 70, 200}, Case{20, 20, 20, 20}}) {
    EXPECT_EQ("", in_child([&]() -> std::string {
                const rlimit before{100, 200};
                if (::setrlimit(RLIMIT_NOFILE, &before) != 0) return "setrlimit";
                const auto plan = plan_rlimits({{"RLIMIT_NOFILE", wanted.soft, wanted.hard}});
                if (auto error = failed(lower_rlimits(*plan)); !error.empty()) return error;
                rlimit after{};
                ::getrlimit(RLIMIT_NOFILE, &after);
                if (after.rlim_cur == wanted.soft_after && after.rlim_max == wanted.hard_after)
                  return "";
                return std::to_string(after.rlim_cur) + ", " + std::to_string(after.rlim_max);
              }))
        << wanted.soft << ", " << wanted.hard;
  }
}

}  // namespace
}  // namespace langsbx::confine
