// Profile -> Landlock, seccomp and no_new_privs of the plan.
#include "runtime/guard/tighten.h"

#include <algorithm>

#include "runtime/guard/invocation.h"
#include "runtime/guard/ip_sockets.h"
#include "runtime/guard/programs.h"

namespace langsbx::guard {
namespace {

constexpr int kAbiOfUdp = 10;

bool lists(const std::vector<std::string>& values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool asks_for_landlock(const languages::LandlockLayer& layer) {
  return !layer.read.empty() || !layer.write.empty() || !layer.execute.empty() ||
         !layer.connect_tcp.empty() || !layer.bind_tcp.empty() || !layer.scopes.empty();
}

// The source and its folder: it may stand in a place that the profile does not know, and in one
// that is not granted because programs are there. The interpreter is told when it is known
// (Gate::judge).
void add_source(const plan::ProgramPlan& program, confine::LandlockProgram& out) {
  if (!out.restrict_paths || program.args.empty()) return;
  std::string source = source_by_name(program.args);
  if (source.empty()) return;
  if (!source.starts_with('/')) source.insert(0, program.cwd + "/");
  std::string folder = source.substr(0, source.rfind('/'));
  // The root by any number of slashes is nobody's folder.
  if (folder.find_first_not_of('/') != std::string::npos) {
    out.own_read.push_back(std::move(folder));
  }
  out.own_read.push_back(std::move(source));
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
  out.starts_program = out.restrict_paths;
  if (out.restrict_paths && out.execute.empty() && starts_any_program(make_policy(profile))) {
    out.execute = program_folders();
  }
  // The work directory: never a whole root file system.
  if (program.cwd != "/") {
    auto& list = lists(profile.allow, "files.write") ? out.own_write : out.own_read;
    list.push_back(program.cwd);
  }
  add_source(program, out);
  const bool network = !layer.connect_tcp.empty() || !layer.bind_tcp.empty();
  if (network || profile.network == "none") {
    out.connect_tcp = layer.connect_tcp;
    out.bind_tcp = layer.bind_tcp;
  }
  // No profile names UDP ports, so this comes on top where the kernel has it.
  if (profile.network == "none" && program.landlock.abi >= kAbiOfUdp) {
    out.connect_udp.emplace();
    out.bind_udp.emplace();
  }
  out.scope_signals = lists(layer.scopes, "signal");
  out.scope_abstract_sockets = lists(layer.scopes, "abstract-unix-socket");
  out.devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  out.best_effort = layer.best_effort;
  return out;
}

confine::SeccompOptions seccomp_options(const oci::Spec& spec, const std::string& state_root) {
  confine::SeccompOptions options;
  if (spec.annotations.contains("run.oci.seccomp_fail_unknown_syscall")) {
    options.unknown_calls = confine::UnknownCalls::kFail;
  }
  options.cache_directory = state_root + "/.cache/seccomp";
  return options;
}

// One line for all that an older kernel leaves open, for whoever starts the program.
void tell_unenforced(const std::string& profile, confine::LandlockPlan& landlock) {
  if (landlock.unenforced.empty()) return;
  std::string all;
  for (const std::string& what : landlock.unenforced) all += (all.empty() ? "" : "; ") + what;
  landlock.warnings.push_back("guard profile " + profile +
                              ": Landlock is not in force whole, the boundary is what else there "
                              "is: " +
                              all + " (--landlock required refuses this)");
}

}  // namespace

Result<void> stack_seccomp(const std::string& name, const oci::Spec& spec,
                           const std::string& state_root, plan::ProgramPlan& program) {
  const auto json = confine::builtin_seccomp_profile(name);
  if (!json) {
    return make_error(ErrorKind::kInvalidInput,
                      "guard profile: seccomp: no profile \"" + name + "\" is shipped");
  }
  // config.json's own has been planned.
  return confine::stack_seccomp({"language profile " + name, {}, *json},
                                seccomp_options(spec, state_root), program.seccomp);
}

Result<void> tighten(const languages::Profile& profile, const oci::Spec& spec,
                     const std::string& state_root, plan::ProgramPlan& program) {
  program.no_new_privileges = true;
  program.keeps_admin = false;
  const auto stage = profile.stages.find("landlock");
  const bool observed =
      stage != profile.stages.end() && stage->second == languages::StageMode::kObserve;
  // Also without a layer of its own: the container's one steps aside for no guarded program.
  confine::LandlockInputs inputs;
  inputs.spec = &spec;
  if (asks_for_landlock(profile.landlock) && !observed) {
    inputs.program = layer_of(profile, program);
  }
  inputs.abi = program.landlock.abi;
  inputs.log_denials = program.landlock.log_denials;
  inputs.mode = program.landlock.mode;
  inputs.guarded = true;
  program.landlock = TRY_CONTEXT(confine::plan_landlock(inputs), "guard profile " + profile.name);
  tell_unenforced(profile.name, program.landlock);
  if (profile.seccomp) TRY(stack_seccomp(*profile.seccomp, spec, state_root, program));
  const auto sockets = ip_sockets(profile);
  if (!sockets) return {};
  return confine::stack_seccomp(*sockets, seccomp_options(spec, state_root), program.seccomp);
}

}  // namespace langsbx::guard
