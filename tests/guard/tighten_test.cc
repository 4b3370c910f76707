// What an enforced profile adds to the plan.
#include "runtime/guard/tighten.h"

#include <gtest/gtest.h>

#include <algorithm>

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
  ASSERT_NE(gate->get(), nullptr);
  EXPECT_TRUE(program_.no_new_privileges);
  EXPECT_FALSE(program_.keeps_admin);
  EXPECT_EQ(program_.seccomp.filters.size(), 1U);
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

TEST_F(Tighten, ObservingChangesNothing) {
  const auto gate = make_gate(inputs_);
  ASSERT_TRUE(gate.ok()) << gate.error().to_string();
  EXPECT_NE(gate->get(), nullptr);
  EXPECT_FALSE(program_.no_new_privileges);
  EXPECT_TRUE(program_.keeps_admin);
  EXPECT_TRUE(program_.seccomp.empty());
}

TEST_F(Tighten, OtherCommandsAreNotJudgedUnasked) {
  program_.args = {"/usr/sbin/nginx"};
  const auto gate = make_gate(inputs_);
  ASSERT_TRUE(gate.ok());
  EXPECT_EQ(gate->get(), nullptr);
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
  EXPECT_EQ(gate->get(), nullptr);
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
    EXPECT_NE(gate->get(), nullptr) << args[0];
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
  spec_.annotations["io.langsbx.landlock"] = "broad";
  EXPECT_TRUE(make_gate(inputs_).ok());
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
  EXPECT_NE((*gate)->settings().find("minimal"), std::string::npos);
}

}  // namespace
}  // namespace langsbx::guard
