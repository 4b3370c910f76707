// Record, crun's files, pid file.
#include "runtime/launch/record.h"

#include "runtime/confine/report.h"
#include "runtime/launch/announce.h"
#include "runtime/state/crun_status.h"
#include "runtime/state/process_status.h"

namespace langsbx::runtime {
namespace {

std::string confinement_of(const plan::ProgramPlan& program) {
  const confine::CapabilityPlan none;
  const auto& capabilities = program.identity.capabilities;
  return confine::report_json(confine::ConfinementView{program.landlock,
                                                       program.seccomp.summaries,
                                                       capabilities ? *capabilities : none,
                                                       program.no_new_privileges,
                                                       program.identity.uid,
                                                       program.identity.gid,
                                                       program.labels.apparmor_profile,
                                                       program.labels.selinux_label,
                                                       {}},
                              confine::Names::kNo);
}

// The option, or crun's annotation.
std::string pidfd_socket_of(const CreateOptions& options, const state::Record& record) {
  const auto receiver = record.annotations.find("run.oci.pidfd_receiver");
  if (!options.pidfd_socket.empty() || receiver == record.annotations.end()) {
    return options.pidfd_socket;
  }
  return receiver->second;
}

// What crun's own tools find in its directory.
Result<void> write_crun_files(const PrepareInputs& inputs, const Prepared& prepared) {
  if (!inputs.plan.context->acts_as_crun()) return {};
  const auto& record = prepared.opened.group.record();
  state::CrunStatus status;
  status.scope = record.unit;
  status.systemd_cgroup = record.manager == cgroup::Manager::kSystemd;
  status.detached = inputs.gate_by_socket || inputs.plan.options->detach;
  if (!record.placements.empty()) {
    const auto& placement = record.placements.front();
    status.cgroup_path = placement.directory.substr(placement.mount_point.size());
  }
  return state::write_crun_status(prepared.opened.container, prepared.opened.record, status);
}

}  // namespace

Result<void> stage_record(const ContainerPlan& plan, Opened& opened, const Launched& launched) {
  auto& record = opened.record;
  record.annotations = plan.spec.annotations;
  record.complete = true;
  record.init_pid = launched.init.pid();
  record.init_start_time = TRY(state::process_start_time(record.init_pid));
  // What is made beside init's birth is made as it was planned, or not at all.
  if (opened.group.made()) record.cgroup = cgroup::to_json(opened.group.record());
  record.resctrl_directory = launched.resctrl.path();
  record.confinement = confinement_of(plan.launch.program);
  return opened.container.stage_record(record);
}

Result<void> publish_record(const PrepareInputs& inputs, Prepared& prepared) {
  const auto& options = *inputs.plan.options;
  auto& opened = prepared.opened;
  if (!opened.record.complete) TRY(stage_record(*prepared.plan, opened, prepared.launched));
  TRY(opened.container.settle_record());
  TRY(write_crun_files(inputs, prepared));
  warn(*inputs.plan.context, opened.group.warnings());
  return announce(opened.record.init_pid, options.pid_file, pidfd_socket_of(options, opened.record),
                  "standard");
}

}  // namespace langsbx::runtime
