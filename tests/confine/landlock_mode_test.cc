// required, auto, best-effort, off: what steps aside, what may be missing, and what is told.
#include "runtime/confine/landlock_mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/confine/landlock.h"
#include "runtime/confine/report.h"

namespace langsbx::confine {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kNodes = fs::kMakeChar | fs::kMakeBlock;

class Mode : public testing::Test {
 protected:
  void give(const char* capability) {
    spec_.process.emplace();
    spec_.process->capabilities.emplace();
    spec_.process->capabilities->bounding = {"CAP_CHOWN", capability};
  }
  LandlockPlan planned() {
    inputs_.spec = &spec_;
    const auto made = plan_landlock(inputs_);
    EXPECT_TRUE(made.ok()) << made.error().to_string();
    return made.ok() ? *made : LandlockPlan();
  }
  std::string refused() {
    inputs_.spec = &spec_;
    const auto made = plan_landlock(inputs_);
    return made.ok() ? "no error" : made.error().to_string();
  }
  std::vector<std::string> layers() {
    std::vector<std::string> names;
    for (const auto& layer : planned().layers) names.push_back(layer.name);
    return names;
  }
  std::uint64_t at_root() {
    std::uint64_t access = 0;
    const auto plan = planned();
    for (const auto& layer : plan.layers) {
      for (const auto& grant : layer.paths) access |= grant.path == "/" ? grant.access : 0;
    }
    return access;
  }

  oci::Spec spec_;
  LandlockInputs inputs_{nullptr, {}, 7, false};
};

// LOG_NEW_EXEC_ON (2) since ABI 7, TSYNC (8) since 8, NO_NEW_PRIVS (16) since 11, and later
// kernels.
TEST_F(Mode, FlagsAreThoseOfTheKernel) {
  struct Row {
    int abi;
    std::uint32_t plain, everything;
  };
  for (const Row row : {Row{1, 0, 0},
                        {6, 0, 0},
                        {7, 0, 2},
                        {8, 8, 10},
                        {9, 8, 10},
                        {10, 8, 10},
                        {11, 8, 26},
                        {14, 8, 26}}) {
    LandlockPlan plan;
    plan.abi = row.abi;
    plan.layers.emplace_back();
    EXPECT_EQ(restrict_flags(plan, false), row.plain) << row.abi;
    EXPECT_EQ(sets_no_new_privs(plan), row.abi >= 11) << row.abi;
    plan.log_denials = true;
    EXPECT_EQ(restrict_flags(plan, true), row.everything) << row.abi;
  }
}

TEST_F(Mode, WithoutALayerNothingSetsNoNewPrivs) {
  LandlockPlan plan;
  plan.abi = 11;
  EXPECT_FALSE(sets_no_new_privs(plan));
  EXPECT_EQ(restrict_flags(plan, true) & 16U, 0U);
}

// A kernel that is newer than the table: its known rights are handled, all of them.
TEST_F(Mode, LaterKernelsHandleEveryRightOfTheTable) {
  oci::Spec spec;
  inputs_.spec = &spec;
  for (const int abi : {9, 10, 11, 15}) {
    inputs_.abi = abi;
    inputs_.program.emplace();
    inputs_.program->origin = "test";
    inputs_.program->bind_udp.emplace();
    inputs_.program->connect_udp.emplace();
    inputs_.program->best_effort = true;
    const auto plan = plan_landlock(inputs_);
    ASSERT_TRUE(plan.ok()) << plan.error().to_string();
    ASSERT_EQ(plan->layers.size(), 2U);
    EXPECT_EQ(plan->layers[0].handled_fs & fs::kResolveUnix, fs::kResolveUnix) << abi;
    const std::uint64_t udp = net::kBindUdp | net::kConnectSendUdp;
    EXPECT_EQ(plan->layers[1].handled_net & udp, abi >= 10 ? udp : 0) << abi;
    EXPECT_EQ(plan->unenforced.empty(), abi >= 10) << abi;
  }
}

TEST_F(Mode, WordsAreReadAndWritten) {
  for (const char* word : {"required", "auto", "best-effort", "off"}) {
    const auto mode = landlock_mode_from(word);
    ASSERT_TRUE(mode) << word;
    EXPECT_EQ(to_string(*mode), word);
  }
  EXPECT_EQ(landlock_mode_from("broad"), LandlockMode::kRequired);
  EXPECT_FALSE(landlock_mode_from("on"));
  EXPECT_FALSE(landlock_mode_from(""));
}

TEST_F(Mode, TheLayerStepsAsideForTheRightToMountAndSaysSo) {
  EXPECT_THAT(layers(), ElementsAre("container"));
  give("CAP_SYS_ADMIN");
  const auto plan = planned();
  EXPECT_THAT(plan.layers, IsEmpty());
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("CAP_SYS_ADMIN is given")));
  EXPECT_THAT(plan.warnings, ElementsAre(HasSubstr("steps aside")));
  ConfinementReport report;
  report.landlock = plan;
  EXPECT_THAT(report_annotations(report)["io.langsbx.confinement.notes"],
              HasSubstr("CAP_SYS_ADMIN is given"));
  EXPECT_THAT(report_text(report), HasSubstr("note: the container's layer steps aside"));
}

TEST_F(Mode, EachSetOfCapabilitiesCounts) {
  const auto steps_aside_for = [this](auto set) {
    spec_.process.emplace();
    spec_.process->capabilities.emplace();
    (*spec_.process->capabilities).*set = {"CAP_SYS_ADMIN"};
    return layers().empty();
  };
  EXPECT_TRUE(steps_aside_for(&oci::Capabilities::bounding));
  EXPECT_TRUE(steps_aside_for(&oci::Capabilities::permitted));
  EXPECT_TRUE(steps_aside_for(&oci::Capabilities::effective));
  // Without the others this one gives nothing.
  EXPECT_FALSE(steps_aside_for(&oci::Capabilities::ambient));
}

TEST_F(Mode, ItStaysWhereItIsRequiredOrTheContainerIsGuarded) {
  give("CAP_SYS_ADMIN");
  for (const auto mode : {LandlockMode::kRequired, LandlockMode::kBestEffort}) {
    inputs_.mode = mode;
    EXPECT_THAT(layers(), ElementsAre("container"));
    EXPECT_THAT(planned().notes, IsEmpty());
  }
  inputs_.mode = LandlockMode::kAuto;
  EXPECT_THAT(layers(), IsEmpty());
  inputs_.guarded = true;
  EXPECT_THAT(layers(), ElementsAre("container"));
  inputs_.mode = LandlockMode::kOff;
  EXPECT_THAT(layers(), IsEmpty());
}

// A tight layer on files forbids mounts as well: nothing would be gained.
TEST_F(Mode, ItStaysBesideATightLayerOnFiles) {
  give("CAP_SYS_ADMIN");
  spec_.annotations["io.langsbx.landlock.bind-tcp"] = "80";
  EXPECT_THAT(layers(), ElementsAre("program"));
  spec_.annotations["io.langsbx.landlock.read"] = "/usr";
  EXPECT_THAT(layers(), ElementsAre("container", "program"));
}

TEST_F(Mode, TheAnnotationIsHeardWhereNobodySettled) {
  give("CAP_SYS_ADMIN");
  spec_.annotations["io.langsbx.landlock"] = "required";
  EXPECT_THAT(layers(), ElementsAre("container"));
  spec_.annotations["io.langsbx.landlock"] = "auto";
  EXPECT_THAT(layers(), IsEmpty());
  spec_.annotations["io.langsbx.landlock"] = "required";
  inputs_.mode = LandlockMode::kOff;
  EXPECT_THAT(layers(), IsEmpty());
}

TEST_F(Mode, DeviceNodesAreMadeWhereADeviceCgroupJudgesTheirOpening) {
  EXPECT_EQ(at_root() & kNodes, 0U);
  give("CAP_MKNOD");
  EXPECT_EQ(at_root() & kNodes, 0U);
  EXPECT_THAT(planned().notes, ElementsAre(HasSubstr("no device cgroup")));
  inputs_.devices_judged = true;
  EXPECT_EQ(at_root() & kNodes, kNodes);
  EXPECT_THAT(planned().notes, IsEmpty());
  spec_.root = oci::Root{"rootfs", true};
  EXPECT_EQ(at_root() & kNodes, 0U);
  spec_.root->readonly = false;
  for (const auto mode : {LandlockMode::kRequired, LandlockMode::kBestEffort}) {
    inputs_.mode = mode;
    EXPECT_EQ(at_root() & kNodes, 0U);
  }
  inputs_.mode = LandlockMode::kAuto;
  inputs_.guarded = true;
  EXPECT_EQ(at_root() & kNodes, 0U);
}

TEST_F(Mode, NodesAreMadeOnWritableMountsOnly) {
  give("CAP_MKNOD");
  inputs_.devices_judged = true;
  spec_.root = oci::Root{"rootfs", true};
  spec_.mounts = {{"/rw", "tmpfs", "tmpfs", {}, {}, {}},
                  {"/ro", "bind", "/x", {"bind", "ro"}, {}, {}}};
  const auto plan = planned();
  for (const auto& grant : plan.layers.at(0).paths) {
    EXPECT_EQ(grant.access & kNodes, grant.path == "/rw" ? kNodes : 0U) << grant.path;
  }
}

LandlockProgram of_profile() {
  LandlockProgram program;
  program.origin = "guard profile default";
  program.read = {"/usr"};
  program.connect_tcp.emplace();
  return program;
}

TEST_F(Mode, AnOldKernelRunsAGuardedProgramAndNamesWhatIsMissing) {
  inputs_.program = of_profile();
  inputs_.guarded = true;
  inputs_.abi = 2;  // Linux 6.1
  EXPECT_THAT(layers(), ElementsAre("container", "program"));
  EXPECT_THAT(planned().unenforced,
              ElementsAre(HasSubstr("truncate needs ABI 3"), HasSubstr("ioctl_dev needs ABI 5"),
                          HasSubstr("connect_tcp needs ABI 4"), HasSubstr("signal needs ABI 6"),
                          HasSubstr("abstract_unix_socket needs ABI 6")));
  inputs_.abi = 0;
  EXPECT_THAT(layers(), IsEmpty());
  EXPECT_THAT(planned().unenforced, Contains(HasSubstr("container: the container's layer needs")));
  inputs_.abi = 7;
  EXPECT_THAT(planned().unenforced, IsEmpty());
}

TEST_F(Mode, RequiredRefusesWhateverTheProfileSays) {
  inputs_.mode = LandlockMode::kRequired;
  inputs_.abi = 2;
  for (const std::optional<bool> own : {std::optional<bool>(), {true}, {false}}) {
    inputs_.program = of_profile();
    inputs_.program->best_effort = own;
    EXPECT_THAT(refused(), HasSubstr("truncate needs ABI 3"));
  }
  inputs_.abi = 0;
  inputs_.program.reset();
  EXPECT_THAT(refused(), HasSubstr("io.langsbx.landlock=required (or --landlock)"));
}

TEST_F(Mode, AProfileMayRequireItsOwnLayer) {
  inputs_.program = of_profile();
  inputs_.program->best_effort = false;
  inputs_.abi = 2;
  EXPECT_THAT(refused(), HasSubstr("guard profile default: Landlock truncate needs ABI 3"));
  inputs_.mode = LandlockMode::kBestEffort;
  EXPECT_EQ(refused(), "no error");
}

// Somebody meant exactly that right, on this kernel or none.
TEST_F(Mode, WhatAnAnnotationNamesIsNotPassedOver) {
  inputs_.program = of_profile();
  for (const auto& [key, value, abi] :
       std::vector<std::tuple<std::string, std::string, int>>{{"bind-tcp", "80", 4},
                                                              {"connect-tcp", "none", 4},
                                                              {"bind-udp", "53", 10},
                                                              {"connect-udp", "none", 10},
                                                              {"scope", "signal", 6},
                                                              {"scope", "abstract_unix_socket", 6},
                                                              {"device-ioctl", "deny", 5}}) {
    spec_.annotations = {{"io.langsbx.landlock." + key, value}};
    inputs_.abi = abi - 1;
    EXPECT_THAT(refused(), HasSubstr("io.langsbx.landlock." + key)) << value;
    EXPECT_THAT(refused(), HasSubstr("needs Landlock ABI " + std::to_string(abi))) << value;
    inputs_.abi = abi;
    EXPECT_EQ(refused(), "no error") << key;
  }
  inputs_.abi = 2;
  spec_.annotations = {{"io.langsbx.landlock.scope", "none"},
                       {"io.langsbx.landlock.device-ioctl", "allow"}};
  EXPECT_EQ(refused(), "no error");
  // Without a profile the annotations are all there is.
  inputs_.program.reset();
  spec_.annotations = {{"io.langsbx.landlock.read", "/usr"}};
  EXPECT_THAT(refused(), HasSubstr("truncate needs ABI 3"));
}

}  // namespace
}  // namespace langsbx::confine
