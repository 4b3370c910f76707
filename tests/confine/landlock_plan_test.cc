// Planning of Landlock layers: rights, derivation, annotations, both document spellings, JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "oci/reader.h"
#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::uint64_t access_at(const LandlockLayer& layer, const std::string& path) {
  std::uint64_t access = 0;
  for (const LandlockPathGrant& grant : layer.paths) {
    if (grant.path == path) access |= grant.access;
  }
  return access;
}

Result<LandlockPlan> plan(const oci::Spec& spec, int abi,
                          std::optional<LandlockProgram> program = {}) {
  return plan_landlock({&spec, std::move(program), abi, false});
}

// Nothing may be missing.
Result<LandlockPlan> required(int abi, std::optional<LandlockProgram> program) {
  const oci::Spec spec;
  LandlockInputs inputs{&spec, std::move(program), abi, false};
  inputs.mode = LandlockMode::kRequired;
  return plan_landlock(inputs);
}

std::string error_of(const Result<LandlockPlan>& result) {
  return result.ok() ? "no error" : result.error().to_string();
}

TEST(LandlockRights, TableHasOneBitForEachName) {
  std::uint64_t seen[3] = {0, 0, 0};
  for (const LandlockRight& right : landlock_rights()) {
    std::uint64_t& bits = seen[static_cast<int>(right.kind)];
    EXPECT_EQ(bits & right.bit, 0U) << right.name;
    bits |= right.bit;
    EXPECT_EQ(right_from_text(right.kind, right.name), right.bit);
    EXPECT_EQ(right_since(right.kind, right.bit), right.since_abi);
  }
  EXPECT_EQ(seen[0], 0x1ffffU);
  EXPECT_EQ(seen[1], 0xfU);
  EXPECT_EQ(seen[2], 0x3U);
}

TEST(LandlockRights, MaskFollowsTheAbi) {
  EXPECT_EQ(known_rights(LandlockKind::kFs, 1), 0x1fffU);
  EXPECT_EQ(known_rights(LandlockKind::kFs, 2), 0x3fffU);
  EXPECT_EQ(known_rights(LandlockKind::kFs, 7), 0xffffU);
  EXPECT_EQ(known_rights(LandlockKind::kFs, 10), 0x1ffffU);
  EXPECT_EQ(known_rights(LandlockKind::kNet, 3), 0U);
  EXPECT_EQ(known_rights(LandlockKind::kNet, 4), 0x3U);
  EXPECT_EQ(known_rights(LandlockKind::kScope, 5), 0U);
}

TEST(LandlockRights, TextIsANameOrANumber) {
  EXPECT_EQ(right_from_text(LandlockKind::kFs, "0x4"), 4U);
  EXPECT_EQ(right_from_text(LandlockKind::kFs, "65536"), 65536U);
  EXPECT_EQ(right_from_text(LandlockKind::kNet, "bind"), net::kBindTcp);
  EXPECT_FALSE(right_from_text(LandlockKind::kFs, "read"));
  EXPECT_FALSE(right_from_text(LandlockKind::kFs, "0x"));
  EXPECT_FALSE(right_from_text(LandlockKind::kFs, ""));
  EXPECT_FALSE(right_from_text(LandlockKind::kFs, "4x"));
  EXPECT_THAT(right_names(LandlockKind::kFs, 0x100004), ElementsAre("read_file", "0x100000"));
}

TEST(LandlockContainer, WritableRootAllowsAllButDeviceNodes) {
  oci::Spec spec;
  spec.root = oci::Root{"rootfs", false};
  const auto made = plan(spec, 7);
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->layers.size(), 1U);
  const LandlockLayer& layer = made->layers[0];
  EXPECT_EQ(layer.handled_fs, known_rights(LandlockKind::kFs, 7));
  const std::uint64_t missing = layer.handled_fs & ~access_at(layer, "/");
  EXPECT_EQ(missing, fs::kMakeChar | fs::kMakeBlock | fs::kIoctlDev);
  EXPECT_NE(access_at(layer, "/dev") & fs::kIoctlDev, 0U);
  EXPECT_EQ(layer.scoped, 0U);  // `exec`ed processes are in a domain of their own
  EXPECT_EQ(layer.handled_net, 0U);
}

TEST(LandlockContainer, ReadonlyRootLeavesTheMounts) {
  oci::Spec spec;
  spec.root = oci::Root{"rootfs", true};
  spec.mounts = {{"/data", "bind", "/srv", {"rbind", "rw"}, {}, {}},
                 {"tmp", "tmpfs", "tmpfs", {"noexec"}, {}, {}},
                 {"/conf", "bind", "/etc/x", {"bind", "ro", "nodev"}, {}, {}}};
  const auto made = plan(spec, 7);
  ASSERT_TRUE(made.ok());
  const LandlockLayer& layer = made->layers[0];
  EXPECT_EQ(access_at(layer, "/") & fs::kWrite, 0U);
  EXPECT_EQ(access_at(layer, "/data") & fs::kWrite, fs::kWrite);
  EXPECT_NE(access_at(layer, "/data") & fs::kIoctlDev, 0U);
  EXPECT_EQ(access_at(layer, "/tmp") & (fs::kWrite | fs::kExecute), fs::kWrite);
  EXPECT_EQ(access_at(layer, "/conf") & (fs::kWrite | fs::kIoctlDev), 0U);
  EXPECT_NE(access_at(layer, "/dev") & fs::kWriteFile, 0U);
}

TEST(LandlockModes, OffBroadAndKernelsWithoutLandlock) {
  oci::Spec spec;
  EXPECT_TRUE(plan(spec, 0)->empty());
  EXPECT_THAT(plan(spec, 1)->unenforced, ElementsAre(HasSubstr("needs Landlock ABI 2")));
  spec.annotations["io.langsbx.landlock"] = "broad";
  EXPECT_THAT(error_of(plan(spec, 0)), HasSubstr("needs Landlock ABI 2"));
  EXPECT_EQ(plan(spec, 2)->layers.size(), 1U);
  spec.annotations["io.langsbx.landlock"] = "off";
  EXPECT_TRUE(plan(spec, 7)->empty());
  EXPECT_THAT(plan(spec, 7)->notes, ElementsAre(HasSubstr("io.langsbx.landlock=off")));
  spec.annotations["io.langsbx.landlock"] = "of";
  EXPECT_THAT(error_of(plan(spec, 7)), HasSubstr("io.langsbx.landlock: \"of\""));
}

LandlockProgram tight() {
  LandlockProgram program;
  program.origin = "guard profile python";
  program.read = {"/usr/lib"};
  program.write = {"/work"};
  program.execute = {"/usr/bin/python3"};
  program.connect_tcp = {443};
  return program;
}

TEST(LandlockProgramLayer, ExecuteMeansTheNamedBinariesOnly) {
  const auto made = plan({}, 7, tight());
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  ASSERT_EQ(made->layers.size(), 2U);
  const LandlockLayer& layer = made->layers[1];
  EXPECT_EQ(access_at(layer, "/usr/bin/python3"), fs::kExecute | fs::kReadFile);
  EXPECT_EQ(access_at(layer, "/usr/lib") & fs::kExecute, 0U);
  EXPECT_EQ(access_at(layer, "/work") & fs::kExecute, 0U);
  EXPECT_EQ(layer.handled_net, net::kConnectTcp);
  EXPECT_EQ(layer.scoped, scope::kSignal | scope::kAbstractUnixSocket);
}

TEST(LandlockProgramLayer, WhatTheKernelLacksIsRefusedUnlessBestEffortIsNamed) {
  EXPECT_THAT(error_of(required(2, tight())), HasSubstr("truncate needs ABI 3"));
  EXPECT_THAT(error_of(required(5, tight())), HasSubstr("signal needs ABI 6"));
  LandlockProgram udp = tight();
  udp.bind_udp.emplace();
  EXPECT_THAT(error_of(required(7, udp)), HasSubstr("bind_udp needs ABI 10"));
  LandlockProgram lenient = tight();
  lenient.best_effort = true;
  const auto made = plan({}, 2, lenient);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->unenforced.size(), 5U);  // truncate, ioctl_dev, connect_tcp, two scopes
  EXPECT_EQ(made->layers[1].handled_fs, known_rights(LandlockKind::kFs, 2));
  oci::Spec spec;
  spec.annotations["io.langsbx.landlock"] = "best-effort";
  EXPECT_TRUE(plan(spec, 2, tight()).ok());
}

// One below it is refused, and from it on the part is in the layer.
TEST(LandlockProgramLayer, EachPartNeedsItsAbiAndNoMore) {
  const std::vector<std::pair<int, std::function<void(LandlockProgram&)>>> parts = {
      {3, [](auto& p) { p.restrict_paths = true; }},
      {5, [](auto& p) { p.restrict_paths = p.deny_device_ioctl = true; }},
      {4, [](auto& p) { p.bind_tcp.emplace(); }},
      {4, [](auto& p) { p.connect_tcp.emplace(); }},
      {10, [](auto& p) { p.bind_udp.emplace(); }},
      {10, [](auto& p) { p.connect_udp.emplace(); }},
      {6, [](auto& p) { p.scope_signals = true; }},
      {6, [](auto& p) { p.scope_abstract_sockets = true; }}};
  for (const auto& [abi, ask] : parts) {
    LandlockProgram program;
    program.restrict_paths = program.deny_device_ioctl = false;
    program.scope_signals = program.scope_abstract_sockets = false;
    ask(program);
    EXPECT_THAT(error_of(required(abi - 1, program)),
                HasSubstr("needs ABI " + std::to_string(abi)));
    const auto made = required(abi, program);
    ASSERT_TRUE(made.ok()) << made.error().to_string();
    EXPECT_EQ(made->layers.size(), 2U) << abi;
    EXPECT_THAT(made->unenforced, testing::IsEmpty()) << abi;
  }
}

TEST(LandlockAnnotations, PortsAloneRestrictPortsAlone) {
  oci::Spec spec;
  spec.annotations["io.langsbx.landlock.connect-tcp"] = "443, 8443";
  spec.annotations["io.langsbx.landlock.bind-tcp"] = "none";
  const auto made = plan(spec, 7);
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const LandlockLayer& layer = made->layers.at(1);
  EXPECT_EQ(layer.handled_fs, 0U);
  EXPECT_EQ(layer.scoped, 0U);
  EXPECT_EQ(layer.handled_net, net::kConnectTcp | net::kBindTcp);
  EXPECT_EQ(layer.ports.size(), 2U);
}

TEST(LandlockAnnotations, FaultsNameTheKey) {
  for (const auto& [key, value] : std::map<std::string, std::string>{
           {"io.langsbx.landlock.read", "relative"},
           {"io.langsbx.landlock.bind-tcp", "65536"},
           {"io.langsbx.landlock.bind-tcp", "-1"},
           {"io.langsbx.landlock.scope", "everything"},
           {"io.langsbx.landlock.raed", "/x"},
           {"io.langsbx.landlock.device-ioctl", "maybe"},
           {"io.langsbx.landlock.config", "{\"ruleset\":[{\"handledAccessFs\":[\"fly\"]}]}"}}) {
    oci::Spec spec;
    spec.annotations[key] = value;
    EXPECT_THAT(error_of(plan(spec, 7)), HasSubstr(key)) << value;
  }
}

TEST(LandlockDocuments, ProposalAndLandlockconfigGiveTheSameLayer) {
  std::vector<std::string> unenforced;
  const auto proposal = oci::read_landlock(
      R"({"ruleset":{"handledAccessFS":["read_file","read_dir","execute"],"handledAssessNetwork":["bind"]},
          "rules":{"pathBeneath":[{"allowedAccess":["read_file","4"],"paths":["/usr"]}],
                   "portBeneath":[{"allowedAccess":["bind"],"ports":[80]}]},"disableBestEffort":true})",
      "test");
  ASSERT_TRUE(proposal.ok()) << proposal.error().to_string();
  const auto document = oci::read_landlock(
      R"({"abi":4,"ruleset":[{"handledAccessFs":["abi.read_execute"],"handledAccessNet":["bind_tcp"]}],
          "pathBeneath":[{"allowedAccess":[4],"parent":["/usr"]}],
          "netPort":[{"allowedAccess":["bind_tcp"],"port":[80]}]})",
      "test");
  ASSERT_TRUE(document.ok()) << document.error().to_string();
  auto left = landlock_layer_from(*proposal, LandlockForm::kProposal, "x", 7, unenforced);
  auto right = landlock_layer_from(*document, LandlockForm::kDocument, "x", 7, unenforced);
  ASSERT_TRUE(left.ok()) << left.error().to_string();
  ASSERT_TRUE(right.ok()) << right.error().to_string();
  EXPECT_EQ(*left, *right);
  EXPECT_EQ(left->handled_fs, fs::kExecute | fs::kRead);
}

TEST(LandlockDocuments, FaultsNameTheJsonPath) {
  const auto error = [](const char* json, int abi) {
    std::vector<std::string> unenforced;
    const auto landlock = oci::read_landlock(json, "test");
    if (!landlock.ok()) return landlock.error().to_string();
    const auto layer = landlock_layer_from(*landlock, LandlockForm::kProposal, "process.landlock",
                                           abi, unenforced);
    return layer.ok() ? std::string("no error") : layer.error().to_string();
  };
  EXPECT_THAT(error(R"({"ruleset":{"handledAccessFS":["read_file","fly"]}})", 7),
              HasSubstr("process.landlock.ruleset.handledAccessFs[1]: unknown right \"fly\""));
  EXPECT_THAT(error(R"({"ruleset":{"handledAccessFS":["read_file"]},"rules":{"pathBeneath":[
                  {"allowedAccess":["write_file"],"paths":["/x"]}]}})",
                    7),
              HasSubstr("process.landlock.rules.pathBeneath[0].allowedAccess: write_file is not"));
  EXPECT_THAT(error(R"({"ruleset":{"handledAccessFS":["read_file"]},"rules":{"pathBeneath":[
                  {"allowedAccess":["read_file"],"paths":["x"]}]}})",
                    7),
              HasSubstr("pathBeneath[0]: \"x\" is not an absolute path"));
  EXPECT_THAT(error(R"({"ruleset":{"handledAccessFS":["truncate"]}})", 2),
              HasSubstr("truncate is not in the kernel's Landlock ABI 2"));
  EXPECT_THAT(error(R"({"ruleset":{}})", 7), HasSubstr("restricts nothing"));
  EXPECT_EQ(error(R"({"ruleset":{"handledAccessFS":["truncate"]},"disableBestEffort":false})", 2),
            "no error");
}

TEST(LandlockLayers, IntersectionAllowsWhatBothAllow) {
  LandlockLayer left;
  left.handled_fs = fs::kReadFile | fs::kWriteFile;
  left.paths = {{"/", fs::kReadFile, false}, {"/work", fs::kWriteFile, false}};
  LandlockLayer right;
  right.handled_fs = fs::kReadFile | fs::kWriteFile | fs::kExecute;
  right.handled_net = net::kBindTcp;
  right.paths = {{"/usr", fs::kReadFile | fs::kExecute, false},
                 {"/work/out", fs::kReadFile | fs::kWriteFile, true}};
  right.ports = {{80, net::kBindTcp}};
  const LandlockLayer both = intersect_layers(left, right);
  EXPECT_EQ(both.handled_fs, right.handled_fs);
  EXPECT_EQ(access_at(both, "/"), 0U);
  EXPECT_EQ(access_at(both, "/usr"), fs::kReadFile | fs::kExecute);
  EXPECT_EQ(access_at(both, "/work"), 0U);
  EXPECT_EQ(access_at(both, "/work/out"), fs::kReadFile | fs::kWriteFile);
  EXPECT_EQ(both.ports, right.ports);
}

TEST(LandlockLayers, APathIsBelowAnotherByWholeNames) {
  EXPECT_TRUE(is_path_below("/data", "/data"));
  EXPECT_TRUE(is_path_below("/data/base", "/data"));
  EXPECT_TRUE(is_path_below("/data", "/"));
  EXPECT_FALSE(is_path_below("/database", "/data"));
  EXPECT_FALSE(is_path_below("/data", "/data/base"));
}

TEST(LandlockLayers, NoGrantReachesANameThatOnlyBeginsTheSame) {
  LandlockLayer left;
  left.handled_fs = fs::kReadFile;
  left.paths = {{"/data", fs::kReadFile, false}};
  LandlockLayer right;
  right.handled_fs = fs::kReadFile;
  right.paths = {{"/data", fs::kReadFile, false}, {"/database", fs::kReadFile, false}};
  const LandlockLayer both = intersect_layers(left, right);
  EXPECT_EQ(access_at(both, "/data"), fs::kReadFile);
  EXPECT_EQ(access_at(both, "/database"), 0U);
  left.paths.push_back({"/database", fs::kReadFile, false});
  for (const auto& grant : intersect_layers(left, right).paths) {
    EXPECT_THAT(grant.beneath, testing::IsEmpty()) << grant.path;
  }
}

TEST(LandlockLayers, TheContainersIsToldFromTheProgramsOwn) {
  const auto made = plan({}, 7, tight());
  ASSERT_TRUE(made.ok() && made->layers.size() == 2);
  const auto container = container_layer_of(*made);
  EXPECT_THAT(container.layers, testing::ElementsAre(made->layers[0]));
  EXPECT_EQ(container.abi, made->abi);
}

class LandlockDocumentFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "document-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    ::mkdir((folder_ + "/inner").c_str(), 0755);
    file_ = folder_ + "/inner/policy";
    std::ofstream(file_) << R"({"ruleset":{"scoped":["signal"]}})";
    ::chmod(file_.c_str(), 0644);
    ::chmod(folder_.c_str(), 0755);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static std::string said(const std::string& path) {
    oci::Spec spec;
    spec.annotations["io.langsbx.landlock.config"] = path;
    const auto made = plan_landlock({&spec, {}, 7, false});
    return made.ok() ? "" : made.error().to_string();
  }
  std::string folder_;
  std::string file_;
};

// A file in a folder that others can't enter is as secret as one that they can't read.
TEST_F(LandlockDocumentFile, IsOneThatEverybodyMayReach) {
  EXPECT_EQ(said(file_), "");
  const std::string link = testing::TempDir() + "document-link-" + std::to_string(::getpid());
  ASSERT_EQ(::symlink(file_.c_str(), link.c_str()), 0);
  EXPECT_EQ(said(link), "");
  for (const std::string& closed : {folder_, folder_ + "/inner"}) {
    ::chmod(closed.c_str(), 0754);
    EXPECT_THAT(said(file_), HasSubstr("not a file that everybody may read")) << closed;
    EXPECT_THAT(said(link), HasSubstr("not a file that everybody may read")) << closed;
    ::chmod(closed.c_str(), 0751);
    EXPECT_EQ(said(file_), "") << closed;
  }
  ::unlink(link.c_str());
}

TEST(LandlockLayers, AtMostTwoAreUsed) {
  oci::Spec spec;
  spec.annotations["io.langsbx.landlock.read"] = "/usr";
  spec.annotations["io.langsbx.landlock.config"] = R"({"ruleset":{"scoped":["signal"]}})";
  spec.process.emplace();
  spec.process->landlock.emplace();
  spec.process->landlock->handled_access_net = {"bind_tcp"};
  const auto made = plan(spec, 7, tight());
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(made->layers.size(), 2U);
}

TEST(LandlockJson, RoundTrips) {
  oci::Spec spec;
  spec.mounts = {{"/data", "bind", "/srv", {"rbind"}, {}, {}}};
  auto made = plan(spec, 7, tight());
  ASSERT_TRUE(made.ok());
  made->unenforced = {"a"};
  made->notes = {"b"};
  const auto again = landlock_plan_from_json(to_json(*made));
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(again->layers, made->layers);
  EXPECT_EQ(again->abi, 7);
  EXPECT_EQ(again->unenforced, made->unenforced);
  EXPECT_EQ(again->notes, made->notes);
}

TEST(LandlockJson, RefusesWhatItDidNotWrite) {
  EXPECT_FALSE(landlock_plan_from_json("{").ok());
  EXPECT_FALSE(landlock_plan_from_json("[]").ok());
  EXPECT_THAT(landlock_plan_from_json(R"({"layers":[{"paths":[{"path":7}]}]})").error().to_string(),
              HasSubstr("Landlock plan: layers[0].paths[0].path: expected a string"));
  EXPECT_FALSE(landlock_plan_from_json(R"({"layers":[{"paths":[{"path":"x"}]}]})").ok());
}

}  // namespace
}  // namespace langsbx::confine
