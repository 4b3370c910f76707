// What a pause needs, and not a thing more.
#include "runtime/guard/pause.h"

#include "runtime/guard/tighten.h"

namespace langsbx::guard {
namespace {

constexpr int kAbiOfUdp = 10;

bool says_sandbox(const oci::Spec& spec, const char* name) {
  const auto found = spec.annotations.find(name);
  return found != spec.annotations.end() && found->second == "sandbox";
}

}  // namespace

bool claims_to_be_sandbox(const oci::Spec& spec, const plan::ProgramPlan& program) {
  const bool claims = says_sandbox(spec, "io.kubernetes.cri.container-type") ||
                      says_sandbox(spec, "io.kubernetes.cri-o.ContainerType");
  return claims && program.args.size() == 1 && program.args[0].starts_with('/');
}

Result<void> confine_as_pause(const oci::Spec& spec, const std::string& state_root,
                              plan::ProgramPlan& program) {
  program.no_new_privileges = true;
  program.keeps_admin = false;
  if (program.identity.capabilities) program.identity.capabilities.emplace();
  const int abi = program.landlock.abi;
  confine::LandlockProgram layer;
  layer.origin = "pod sandbox";
  layer.execute = {program.args[0]};
  layer.bind_tcp.emplace();
  layer.connect_tcp.emplace();
  if (abi >= kAbiOfUdp) {
    layer.bind_udp.emplace();
    layer.connect_udp.emplace();
  }
  // A pod's annotations are also its sandbox's: they are for its programs and widen nothing here.
  oci::Spec own = spec;
  std::erase_if(own.annotations,
                [](const auto& entry) { return entry.first.starts_with("io.langsbx.landlock"); });
  confine::LandlockInputs inputs;
  inputs.spec = &own;
  inputs.program = std::move(layer);
  inputs.abi = abi;
  inputs.log_denials = program.landlock.log_denials;
  const bool required = program.landlock.mode == confine::LandlockMode::kRequired;
  inputs.mode = required ? confine::LandlockMode::kRequired : confine::LandlockMode::kAuto;
  inputs.guarded = true;
  program.landlock = TRY_CONTEXT(confine::plan_landlock(inputs), "pod sandbox");
  return stack_seccomp("pause", spec, state_root, program);
}

}  // namespace langsbx::guard
