// Spec + host -> LaunchPlan; pure but for looking at paths that config.json names.
#include <unistd.h>

#include "runtime/kernel/file.h"
#include "runtime/kernel/landlock.h"
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

}  // namespace

Result<HostFacts> read_host_facts(std::optional<bool> rootless) {
  HostFacts host;
  host.euid = ::geteuid();
  host.egid = ::getegid();
  host.rootless = rootless.value_or(host.euid != 0);
  host.capabilities = TRY(confine::read_capability_host());
  host.labels = confine::read_label_host();
  host.landlock_abi = landlock_abi();
  const auto setgroups = read_file("/proc/self/setgroups", 64);
  host.setgroups_allowed = !setgroups.ok() || !setgroups->starts_with("deny");
  return host;
}

Result<LaunchPlan> make_plan(const PlanInputs& inputs) {
  const oci::Spec& spec = *inputs.spec;
  if (!spec.process) return make_error(ErrorKind::kInvalidInput, "process: missing");
  const oci::Linux no_linux;
  const oci::Linux& linux_ = spec.linux_ ? *spec.linux_ : no_linux;
  LaunchPlan plan;
  plan.namespaces = TRY(plan_namespaces(linux_, *inputs.host));
  if (!plan.namespaces.has(oci::NamespaceType::kMount)) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.namespaces: a mount namespace is needed, the root file system can't "
                      "be set up without one");
  }
  plan.rootfs = TRY(plan_rootfs(spec, inputs, plan.namespaces));
  plan.program = TRY(
      plan_program(*spec.process, inputs, plan.namespaces.new_user || plan.namespaces.join_user));
  plan.hooks = spec.hooks;
  plan.net_devices = linux_.net_devices;
  plan.intel_rdt = linux_.intel_rdt;
  TRY(check_network(plan));
  return plan;
}

}  // namespace langsbx::plan
