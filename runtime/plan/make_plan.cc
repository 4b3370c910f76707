// Spec + host -> LaunchPlan; pure but for looking at paths that config.json names.
#include <sys/auxv.h>

#include "runtime/kernel/file.h"
#include "runtime/kernel/landlock.h"
#include "runtime/kernel/own_status.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::plan {
namespace {

Result<void> check_network(const LaunchPlan& plan) {
  if (plan.net_devices.empty()) return {};
  if (!plan.namespaces.has(oci::NamespaceType::kNetwork)) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.netDevices: cannot be moved without a network namespace");
  }
  return {};
}

bool may_set_groups() {
  const auto setgroups = read_kernel_file(AT_FDCWD, "/proc/self/setgroups");
  return !setgroups.ok() || !setgroups->starts_with("deny");
}

}  // namespace

Result<HostFacts> read_host_facts(std::optional<bool> rootless) {
  HostFacts host;
  host.euid = static_cast<uid_t>(::getauxval(AT_EUID));
  host.egid = static_cast<gid_t>(::getauxval(AT_EGID));
  host.rootless = rootless.value_or(host.euid != 0);
  host.capabilities = TRY(confine::read_capability_host());
  host.landlock_abi = TRY(ask_landlock_abi());
  host.setgroups_allowed = in_initial_user_namespace() || may_set_groups();
  return host;
}

const oci::Linux& linux_part_of(const oci::Spec& spec) {
  if (spec.linux_) return *spec.linux_;
  static const oci::Linux none;
  return none;
}

Result<LaunchPlan> make_plan(const PlanInputs& inputs) {
  const oci::Spec& spec = *inputs.spec;
  if (!spec.process) return make_error(ErrorKind::kInvalidInput, "process: missing");
  const oci::Linux& linux_part = linux_part_of(spec);
  LaunchPlan plan;
  plan.namespaces = TRY(plan_namespaces(linux_part, *inputs.host, inputs.acts_as_crun));
  if (!plan.namespaces.has(oci::NamespaceType::kMount)) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.namespaces: a mount namespace is needed, the root file system can't "
                      "be set up without one");
  }
  plan.rootfs = TRY(plan_rootfs(spec, inputs, plan.namespaces));
  const bool user_namespace = plan.namespaces.new_user || plan.namespaces.join_user;
  plan.program = TRY(plan_program(*spec.process, inputs, user_namespace));
  plan.namespaces.keep_groups = plan.program.identity.keep_groups;
  plan.program.landlock.log_denials = inputs.log_denials;
  plan.hooks = spec.hooks;
  plan.net_devices = linux_part.net_devices;
  plan.intel_rdt = linux_part.intel_rdt;
  TRY(check_network(plan));
  return plan;
}

}  // namespace langsbx::plan
