// What an enforced profile adds to the plan.
#include "runtime/guard/tighten.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "languages/profile.h"
#include "languages/registry.h"
#include "runtime/guard/make_gate.h"

namespace langsbx::guard {
namespace {

constexpr int kAbi = 7;

class Tighten : public testing::Test {
 protected:
  void SetUp() override {
    program_.args = {"python3", "main.py"};
    program_.cwd = "/work";
    program_.landlock.abi = kAbi;
    program_.keeps_admin = true;
    inputs_.spec = &spec_;
    inputs_.program = &program_;
    inputs_.config_file = "/nonexistent/config.yaml";
    inputs_.profile_directories = {};
  }
  oci::Spec spec_;
  plan::ProgramPlan program_;
  GateInputs inputs_;
};

TEST_F(Tighten, AddsLandlockSeccompAndNoNewPrivileges) {
  spec_.annotations["io.langsbx.profile"] = "default";
  const auto gate = make_gate(inputs_);
  ASSERT_TRUE(gate.ok()) << gate.error().to_string();
  ASSERT_TRUE(std::holds_alternative<Judge>(*gate));
  EXPECT_TRUE(program_.no_new_privileges);
  EXPECT_FALSE(program_.keeps_admin);
  EXPECT_EQ(program_.seccomp.filters.size(), 2U) << "the language's, and no sockets of IP";
  const auto& layers = program_.landlock.layers;
  const auto layer = std::find_if(layers.begin(), layers.end(),
                                  [](const auto& one) { return one.name == "program"; });
  ASSERT_NE(layer, layers.end());
  const auto grants = [&](const std::string& path) {
    return std::any_of(layer->paths.begin(), layer->paths.end(),
                       [&](const auto& grant) { return grant.path == path; });
  };
  EXPECT_TRUE(grants("/work"));
  EXPECT_FALSE(grants("/etc"));
}

// Nobody's work directory is the whole root; the layer would not grant it either.
TEST_F(Tighten, TheRootIsNoWorkDirectory) {
  program_.cwd = "/";
  spec_.annotations["io.langsbx.profile"] = "default";
  ASSERT_TRUE(make_gate(inputs_).ok());
  for (const auto& layer : program_.landlock.layers) {
    if (layer.name != "program") continue;
    for (const auto& grant : layer.paths) EXPECT_NE(grant.path, "/") << grant.access;
  }
}

TEST_F(Tighten, ObservingChangesNothing) {
  const auto gate = make_gate(inputs_);
  ASSERT_TRUE(gate.ok()) << gate.error().to_string();
  EXPECT_TRUE(std::holds_alternative<Judge>(*gate));
  EXPECT_FALSE(program_.no_new_privileges);
  EXPECT_TRUE(program_.keeps_admin);
  EXPECT_TRUE(program_.seccomp.empty());
}

TEST_F(Tighten, OtherCommandsAreNotJudgedUnasked) {
  program_.args = {"/usr/sbin/nginx"};
  const auto gate = make_gate(inputs_);
  ASSERT_TRUE(gate.ok());
  EXPECT_TRUE(std::holds_alternative<Nothing>(*gate));
}

TEST_F(Tighten, AskedForAnUnknownLanguageIsRefused) {
  program_.args = {"/usr/sbin/nginx"};
  inputs_.profile_flag = "default";
  const auto gate = make_gate(inputs_);
  ASSERT_FALSE(gate.ok());
  EXPECT_EQ(gate.error().kind, ErrorKind::kRefused);
}

TEST_F(Tighten, APodsSandboxIsConfinedToAPause) {
  program_.args = {"/pause"};
  program_.identity.capabilities.emplace();
  program_.identity.capabilities->permitted = 1;
  inputs_.profile_flag = "default";
  spec_.annotations["io.kubernetes.cri.container-type"] = "sandbox";
  spec_.annotations["io.langsbx.landlock"] = "off";
  spec_.annotations["io.langsbx.landlock.read"] = "/etc";
  const auto gate = make_gate(inputs_);
  ASSERT_TRUE(gate.ok()) << gate.error().to_string();
  EXPECT_TRUE(std::holds_alternative<Nothing>(*gate));
  EXPECT_TRUE(program_.no_new_privileges);
  EXPECT_EQ(program_.identity.capabilities->permitted, 0U);
  ASSERT_EQ(program_.seccomp.summaries.size(), 1U);
  EXPECT_EQ(program_.seccomp.summaries[0].name, "language profile pause");
  ASSERT_EQ(program_.landlock.layers.size(), 2U);
  const auto& tight = program_.landlock.layers[1];
  EXPECT_EQ(tight.handled_net & 3U, 3U);
  EXPECT_TRUE(tight.ports.empty());
  ASSERT_EQ(tight.paths.size(), 1U);
  EXPECT_EQ(tight.paths[0].path, "/pause");
  EXPECT_EQ(tight.paths[0].access, confine::fs::kExecute | confine::fs::kReadFile);
}

TEST_F(Tighten, AnInterpreterThatClaimsToBeASandboxIsJudged) {
  inputs_.profile_flag = "default";
  spec_.annotations["io.kubernetes.cri.container-type"] = "sandbox";
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"/usr/bin/python3"}, {"/bin/sh"}, {"/srv/main.py"}}) {
    program_.args = args;
    const auto gate = make_gate(inputs_);
    ASSERT_TRUE(gate.ok()) << gate.error().to_string();
    EXPECT_TRUE(std::holds_alternative<Judge>(*gate)) << args[0];
  }
  program_.args = {"/pause", "--really"};
  EXPECT_FALSE(make_gate(inputs_).ok());
  program_.args = {"pause"};
  EXPECT_FALSE(make_gate(inputs_).ok());
}

TEST_F(Tighten, AnnotationsDoNotWidenTheFlagsProfile) {
  inputs_.profile_flag = "default";
  spec_.annotations["io.langsbx.landlock.read"] = "/etc";
  EXPECT_FALSE(make_gate(inputs_).ok());
  spec_.annotations.clear();
  for (const char* mode : {"off", "best-effort"}) {
    spec_.annotations["io.langsbx.landlock"] = mode;
    EXPECT_FALSE(make_gate(inputs_).ok()) << mode;
  }
  for (const char* mode : {"broad", "required", "auto"}) {
    spec_.annotations["io.langsbx.landlock"] = mode;
    EXPECT_TRUE(make_gate(inputs_).ok()) << mode;
  }
}

std::vector<std::string> layers_of(const plan::ProgramPlan& program) {
  std::vector<std::string> names;
  for (const auto& layer : program.landlock.layers) names.push_back(layer.name);
  return names;
}

// The right to mount moves the container's layer aside, but not under an enforced profile: with
// Landlock of its own or without.
TEST_F(Tighten, AGuardedProgramKeepsTheContainersLayer) {
  using Names = std::vector<std::string>;
  spec_.process.emplace();
  spec_.process->capabilities.emplace();
  spec_.process->capabilities->bounding = {"CAP_SYS_ADMIN"};
  inputs_.profile_flag = "default";
  ASSERT_TRUE(make_gate(inputs_).ok());
  EXPECT_EQ(layers_of(program_), (Names{"container", "program"}));
  auto profile = *languages::load_profile(*languages::find_language("python"), "default");
  profile.landlock = {};
  plan::ProgramPlan program;
  program.landlock.abi = kAbi;
  ASSERT_TRUE(tighten(profile, spec_, "/nonexistent", program).ok());
  EXPECT_EQ(layers_of(program), Names{"container"});
}

TEST_F(Tighten, WhatAnOldKernelLacksIsToldAndRequiredRefused) {
  inputs_.profile_flag = "default";
  for (const int abi : {0, 2, 6}) {
    program_.landlock.abi = abi;
    ASSERT_TRUE(make_gate(inputs_).ok()) << abi;
    EXPECT_EQ(program_.landlock.unenforced.empty(), abi == 6) << abi;
    ASSERT_EQ(program_.landlock.warnings.size(), abi == 6 ? 0U : 1U) << abi;
    if (abi == 6) continue;
    EXPECT_NE(program_.landlock.warnings[0].find("signal needs ABI 6"), std::string::npos);
  }
  program_.landlock.mode = confine::LandlockMode::kRequired;
  program_.landlock.abi = 2;
  EXPECT_FALSE(make_gate(inputs_).ok());
}

// "network: none" is TCP from ABI 4 on, and UDP from ABI 10 on.
TEST_F(Tighten, WithoutANetworkNoPortIsLeftThatTheKernelKnows) {
  inputs_.profile_flag = "strict";
  for (const auto& [abi, handled] : {std::pair{7, 0x3U}, {10, 0xfU}, {12, 0xfU}}) {
    program_.landlock.abi = abi;
    ASSERT_TRUE(make_gate(inputs_).ok()) << abi;
    EXPECT_EQ(program_.landlock.layers.at(1).handled_net, handled) << abi;
    EXPECT_TRUE(program_.landlock.layers.at(1).ports.empty());
    EXPECT_TRUE(program_.landlock.unenforced.empty()) << abi;
  }
}

// The administrator asks by any word that enforces; by "observe" for nothing that could be widened.
TEST_F(Tighten, AnnotationsDoNotWidenWhatTheAdministratorEnforces) {
  const std::string file = testing::TempDir() + "enforcing.yaml";
  inputs_.config_file = file.c_str();
  spec_.annotations["io.langsbx.landlock.read"] = "/etc";
  const auto accepts = [&](const std::string& guard) {
    std::ofstream(file) << "guard: " << guard << "\n";
    plan::ProgramPlan program = program_;
    inputs_.program = &program;
    return make_gate(inputs_).ok();
  };
  EXPECT_FALSE(accepts("{mode: enforce}"));
  EXPECT_FALSE(accepts("{language: python}"));
  EXPECT_FALSE(accepts("{profile: default}"));
  EXPECT_TRUE(accepts("{mode: enforce, loosen: [annotation]}"));
  spec_.annotations["io.langsbx.profile"] = "strict";
  EXPECT_FALSE(accepts("{mode: enforce}"));
  spec_.annotations["io.langsbx.guard"] = "enforce";
  EXPECT_TRUE(accepts("{mode: observe}"));
  std::remove(file.c_str());
}

TEST_F(Tighten, AnObservedLandlockStagePutsNoLayer) {
  const auto layers_under = [&](const std::string& stages) {
    auto profile = *languages::load_profile(*languages::find_language("python"), "default");
    profile.stages = languages::read_profile("name: x\nstages: " + stages + "\n", "x")->stages;
    plan::ProgramPlan program = program_;
    EXPECT_TRUE(tighten(profile, spec_, "/nonexistent", program).ok());
    return std::count_if(program.landlock.layers.begin(), program.landlock.layers.end(),
                         [](const auto& layer) { return layer.name == "program"; });
  };
  EXPECT_EQ(layers_under("{landlock: enforce}"), 1);
  EXPECT_EQ(layers_under("{guard: enforce}"), 1);
  EXPECT_EQ(layers_under("{landlock: observe}"), 0);
}

// Each right from the kernel on that has it, none before.
TEST_F(Tighten, AsksForWhatTheKernelHas) {
  auto profile = *languages::load_profile(*languages::find_language("python"), "default");
  const auto layer_at = [&](int abi) {
    plan::ProgramPlan program = program_;
    program.landlock.abi = abi;
    const auto done = tighten(profile, spec_, "/nonexistent", program);
    EXPECT_TRUE(done.ok()) << done.error().to_string();
    return program.landlock.layers.back();
  };
  profile.landlock.best_effort = true;
  for (const int abi : {3, 4, 5, 6}) {
    const auto layer = layer_at(abi);
    EXPECT_EQ(layer.name, "program");
    EXPECT_EQ((layer.handled_net & 3U) != 0, abi >= 4) << abi;
    EXPECT_EQ((layer.handled_fs & confine::fs::kIoctlDev) != 0, abi >= 5) << abi;
    EXPECT_EQ(layer.scoped != 0, abi >= 6) << abi;
  }
  profile.landlock.best_effort = false;
  EXPECT_EQ(layer_at(6).scoped, 3U);
  plan::ProgramPlan program = program_;
  program.landlock.abi = 5;
  const auto refused = tighten(profile, spec_, "/nonexistent", program);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().to_string().find("needs ABI 6, the kernel has 5"), std::string::npos);
}

TEST_F(Tighten, ExecutesWhatStartsTheProgramAlone) {
  const auto layer_of = [&](const char* language, const char* name) {
    const auto profile = *languages::load_profile(*languages::find_language(language), name);
    plan::ProgramPlan program = program_;
    EXPECT_TRUE(tighten(profile, spec_, "/nonexistent", program).ok());
    const auto again = confine::landlock_plan_from_json(confine::to_json(program.landlock));
    EXPECT_TRUE(again.ok());
    EXPECT_EQ(again->layers, program.landlock.layers);
    return program.landlock.layers.back();
  };
  for (const auto* const language : languages::all_languages()) {
    for (const auto& shipped : language->builtin_profiles) {
      if (shipped.name == "build-tool") continue;
      const auto layer =
          layer_of(std::string(language->name).c_str(), std::string(shipped.name).c_str());
      EXPECT_TRUE(layer.starts_program) << language->name << "/" << shipped.name;
      for (const auto& grant : layer.paths) {
        EXPECT_EQ(grant.access & confine::fs::kExecute, 0U) << language->name << " " << grant.path;
      }
    }
  }
}

TEST_F(Tighten, WhoMayStartProgramsMayStartThoseOfTheUsualFolders) {
  auto profile = *languages::load_profile(*languages::find_language("python"), "default");
  profile.allow.emplace_back("process.spawn");
  ASSERT_TRUE(tighten(profile, spec_, "/nonexistent", program_).ok());
  const auto& paths = program_.landlock.layers.back().paths;
  EXPECT_TRUE(std::any_of(paths.begin(), paths.end(), [](const auto& grant) {
    return grant.path == "/usr/bin" && (grant.access & confine::fs::kExecute) != 0;
  }));
}

// Intersected, it could not be told what the program is started by.
TEST_F(Tighten, AnotherPolicyIsALayerOfItsOwn) {
  spec_.annotations["io.langsbx.landlock.config"] =
      R"({"abi": 7, "pathBeneath": [{"allowedAccess": ["read_file"], "parent": ["/usr"]}]})";
  const auto profile = *languages::load_profile(*languages::find_language("python"), "default");
  const auto done = tighten(profile, spec_, "/nonexistent", program_);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  const auto& layers = program_.landlock.layers;
  ASSERT_EQ(layers.size(), 3U);
  EXPECT_TRUE(layers[1].starts_program);
  EXPECT_FALSE(layers[2].starts_program);
}

TEST_F(Tighten, AnUnknownProfileIsRefused) {
  inputs_.profile_flag = "no-such";
  EXPECT_FALSE(make_gate(inputs_).ok());
}

TEST_F(Tighten, ExecKeepsWhatWasRecorded) {
  inputs_.recorded = R"({"asked": true, "mode": "enforce", "profile": "minimal"})";
  program_.env = {"LANGSBX_PROFILE=default"};
  const auto gate = make_gate(inputs_);
  ASSERT_TRUE(gate.ok()) << gate.error().to_string();
  EXPECT_TRUE(program_.no_new_privileges);
  EXPECT_NE(std::get<Judge>(*gate)->settings().find("minimal"), std::string::npos);
}

}  // namespace
}  // namespace langsbx::guard
