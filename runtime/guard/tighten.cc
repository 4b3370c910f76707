// Profile -> Landlock, seccomp and no_new_privs of the plan.
#include "runtime/guard/tighten.h"

#include <algorithm>

#include "runtime/guard/invocation.h"

namespace langsbx::guard {
namespace {

constexpr int kAbiOfNetwork = 4;
constexpr int kAbiOfDeviceIoctl = 5;

bool lists(const std::vector<std::string>& values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool asks_for_landlock(const languages::LandlockLayer& layer) {
  return !layer.read.empty() || !layer.write.empty() || !layer.execute.empty() ||
         !layer.connect_tcp.empty() || !layer.bind_tcp.empty() || !layer.scopes.empty();
}

// The interpreter or script that is named by its path, and the folder of the source: without them
// no program would start from a place that the profile does not know.
void add_program(const plan::ProgramPlan& program, confine::LandlockProgram& out) {
  if (!out.restrict_paths || program.args.empty()) return;
  if (program.args[0].starts_with('/')) out.execute.push_back(program.args[0]);
  const std::string source = source_by_name(program.args);
  if (!source.starts_with('/')) return;
  const auto slash = source.rfind('/');
  out.read.push_back(slash == 0 ? source : source.substr(0, slash));
}

confine::LandlockProgram layer_of(const languages::Profile& profile,
                                  const plan::ProgramPlan& program) {
  const auto& layer = profile.landlock;
  confine::LandlockProgram out;
  out.origin = "guard profile " + profile.name;
  out.restrict_paths = !layer.read.empty() || !layer.write.empty() || !layer.execute.empty();
  out.read = layer.read;
  out.write = layer.write;
  out.execute = layer.execute;
  // The work directory: never a whole root file system.
  if (program.cwd != "/") {
    auto& list = lists(profile.allow, "files.write") ? out.write : out.read;
    list.push_back(program.cwd);
  }
  add_program(program, out);
  const int abi = program.landlock.abi;
  const bool network = !layer.connect_tcp.empty() || !layer.bind_tcp.empty();
  if (network || (profile.network == "none" && abi >= kAbiOfNetwork)) {
    out.connect_tcp = layer.connect_tcp;
    out.bind_tcp = layer.bind_tcp;
  }
  out.scope_signals = lists(layer.scopes, "signal");
  out.scope_abstract_sockets = lists(layer.scopes, "abstract-unix-socket");
  out.deny_device_ioctl = abi >= kAbiOfDeviceIoctl;
  out.devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  out.best_effort = layer.best_effort.value_or(false);
  return out;
}

}  // namespace

Result<void> stack_seccomp(const std::string& name, const oci::Spec& spec,
                           const std::string& state_root, plan::ProgramPlan& program) {
  const auto json = confine::builtin_seccomp_profile(name);
  if (!json) {
    return make_error(ErrorKind::kInvalidInput,
                      "guard profile: seccomp: no profile \"" + name + "\" is shipped");
  }
  confine::SeccompOptions options;
  if (spec.annotations.contains("run.oci.seccomp_fail_unknown_syscall")) {
    options.unknown_calls = confine::UnknownCalls::kFail;
  }
  options.cache_directory = state_root + "/.cache/seccomp";
  // config.json's own has been planned.
  return confine::stack_seccomp({"language profile " + name, {}, *json}, options, program.seccomp);
}

Result<void> tighten(const languages::Profile& profile, const oci::Spec& spec,
                     const std::string& state_root, plan::ProgramPlan& program) {
  program.no_new_privileges = true;
  program.keeps_admin = false;
  const auto stage = profile.stages.find("landlock");
  const bool observed =
      stage != profile.stages.end() && stage->second == languages::StageMode::kObserve;
  if (asks_for_landlock(profile.landlock) && !observed) {
    confine::LandlockInputs inputs;
    inputs.spec = &spec;
    inputs.program = layer_of(profile, program);
    inputs.abi = program.landlock.abi;
    inputs.log_denials = program.landlock.log_denials;
    program.landlock = TRY_CONTEXT(confine::plan_landlock(inputs), "guard profile " + profile.name);
  }
  if (profile.seccomp) TRY(stack_seccomp(*profile.seccomp, spec, state_root, program));
  return {};
}

}  // namespace langsbx::guard
