// process of config.json (or of exec) -> ProgramPlan.
#include <linux/capability.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "runtime/plan/launch_plan.h"

namespace langsbx::plan {
namespace {

// runc's init writes to its parent while the filter is there, and would wait for the answer. Ours
// does not; callers of runc know it by its error.
Result<void> refuse_notify_of_write(const oci::Seccomp& seccomp) {
  for (const auto& rule : seccomp.syscalls) {
    if (rule.action != "SCMP_ACT_NOTIFY") continue;
    if (std::find(rule.names.begin(), rule.names.end(), "write") == rule.names.end()) continue;
    return make_error(ErrorKind::kInvalidInput,
                      "linux.seccomp: SCMP_ACT_NOTIFY cannot be used for the write syscall");
  }
  return {};
}

// Duplicates: the last one wins, at the place of the first, as in runc.
std::vector<std::string> unique_environment(const std::vector<std::string>& env) {
  std::vector<std::string> result;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const auto& entry : env) {
    const auto name = std::string_view(entry).substr(0, entry.find('='));
    const auto [place, fresh] = places.emplace(name, result.size());
    if (fresh) {
      result.push_back(entry);
    } else {
      result[place->second] = entry;
    }
  }
  return result;
}

Result<void> plan_confinement(ProgramPlan& plan, const PlanInputs& inputs) {
  const oci::Spec& spec = *inputs.spec;
  confine::LandlockInputs landlock;
  landlock.spec = &spec;
  landlock.abi = inputs.host->landlock_abi;
  landlock.mode = inputs.landlock_mode;
  landlock.devices_judged = inputs.devices_judged;
  plan.landlock = TRY(confine::plan_landlock(landlock));
  if (spec.linux_ && spec.linux_->seccomp) {
    confine::SeccompOptions options;
    // A name that neither libseccomp nor we know has no number here, so the call is as open as with
    // runc and crun, which skip it, too. Who wants an error says so by the annotation.
    options.unknown_calls = confine::UnknownCalls::kSkip;
    if (spec.annotations.contains("run.oci.seccomp_fail_unknown_syscall")) {
      options.unknown_calls = confine::UnknownCalls::kFail;
    }
    if (inputs.acts_as_runc) TRY(refuse_notify_of_write(*spec.linux_->seccomp));
    options.always_listens = inputs.acts_as_crun;
    options.cache_directory = inputs.state_root + "/.cache/seccomp";
    plan.seccomp = TRY(confine::plan_seccomp(*spec.linux_->seccomp, options));
    for (const std::string& call : plan.seccomp.summaries.front().unrefused) {
      plan.warnings.push_back("linux.seccomp: unknown system call \"" + call +
                              "\" is not refused: its rule is left out");
    }
  }
  return {};
}

}  // namespace

Result<ProgramPlan> plan_program(const oci::Process& process, const PlanInputs& inputs,
                                 bool new_user_namespace) {
  ProgramPlan plan;
  const oci::Spec& spec = *inputs.spec;
  const HostFacts& host = *inputs.host;
  plan.args = process.args;
  plan.env = unique_environment(process.env);
  plan.cwd = process.cwd.empty() ? "/" : process.cwd;
  plan.no_new_privileges = process.no_new_privileges;
  plan.terminal = process.terminal;
  plan.console_size = process.console_size;
  plan.oom_score_adj = process.oom_score_adj;
  std::optional<confine::CapabilityPlan> capabilities;
  if (process.capabilities) {
    auto capability_host = host.capabilities;
    capability_host.new_user_namespace = new_user_namespace;
    capabilities = confine::plan_capabilities(*process.capabilities, capability_host);
    plan.warnings = capabilities->warnings;
  }
  const bool keep_groups = spec.annotations.contains("run.oci.keep_original_groups") &&
                           spec.annotations.at("run.oci.keep_original_groups") == "1";
  // A rootless user namespace of one id denies setgroups; more ids need newgidmap, which allows it.
  const bool setgroups = host.setgroups_allowed &&
                         !(host.euid != 0 && spec.linux_ && spec.linux_->gid_mappings.size() <= 1);
  plan.identity = TRY(confine::plan_identity(process.user, capabilities, setgroups, keep_groups));
  plan.acts_as_crun = inputs.acts_as_crun;
  if (inputs.acts_as_crun) plan.streams_group = plan.identity.gid;
  plan.rlimits = TRY(confine::plan_rlimits(process.rlimits));
  const oci::Linux& linux_part = linux_part_of(spec);
  const bool cpuset =
      linux_part.resources && linux_part.resources->cpu && !linux_part.resources->cpu->cpus.empty();
  plan.scheduling = TRY(confine::plan_scheduling(process, linux_part, cpuset));
  if (!process.apparmor_profile.empty() || !process.selinux_label.empty()) {
    plan.labels = TRY(confine::plan_labels(process.apparmor_profile, process.selinux_label,
                                           confine::read_label_host()));
  }
  TRY(plan_confinement(plan, inputs));
  plan.keeps_admin = !plan.no_new_privileges && (!plan.landlock.empty() || !plan.seccomp.empty());
  plan.preserved_fds = inputs.preserved_fds;
  if (!inputs.no_new_keyring) plan.session_keyring = "_ses." + inputs.id;
  return plan;
}

}  // namespace langsbx::plan
