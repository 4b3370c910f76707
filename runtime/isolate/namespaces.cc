// setns, unshare, uid_map and gid_map.
#include "runtime/isolate/namespaces.h"

#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "runtime/isolate/kernel_settings.h"
#include "runtime/kernel/credentials.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"
#include "runtime/plan/namespace_types.h"

namespace langsbx::isolate {
namespace {

constexpr int kCloneNewTime = 0x80;

std::string map_text(const std::vector<oci::IdMapping>& map) {
  std::string text;
  for (const auto& entry : map) {
    text += std::to_string(entry.container_id) + " " + std::to_string(entry.host_id) + " " +
            std::to_string(entry.size) + "\n";
  }
  return text;
}

Result<void> run_map_helper(const char* program, pid_t pid,
                            const std::vector<oci::IdMapping>& map) {
  Command command;
  command.path = program;
  command.args = {program, std::to_string(pid)};
  for (const auto& entry : map) {
    command.args.push_back(std::to_string(entry.container_id));
    command.args.push_back(std::to_string(entry.host_id));
    command.args.push_back(std::to_string(entry.size));
  }
  const auto result = TRY(run_command(command));
  if (result.status == 0) return {};
  std::string message = result.errors;
  while (!message.empty() && message.back() == '\n') message.pop_back();
  return make_error(ErrorKind::kSystem, std::string(program) + ": " + message);
}

// What the kernel lets anybody write: the own id, alone.
bool is_own_id(const std::vector<oci::IdMapping>& map, std::uint32_t own) {
  return map.size() == 1 && map[0].size == 1 && map[0].host_id == own;
}

Result<void> write_maps(const std::string& proc, const std::vector<oci::IdMapping>& uids,
                        const std::vector<oci::IdMapping>& gids) {
  TRY_CONTEXT(write_file(proc + "/uid_map", map_text(uids)), "linux.uidMappings");
  TRY_CONTEXT(write_file(proc + "/gid_map", map_text(gids)), "linux.gidMappings");
  return {};
}

}  // namespace

Result<void> write_id_maps(pid_t pid, const plan::NamespacePlan& plan, bool privileged) {
  const std::string proc = "/proc/" + std::to_string(pid);
  if (privileged) return write_maps(proc, plan.uid_map, plan.gid_map);
  if (is_own_id(plan.uid_map, ::geteuid())) {
    TRY_CONTEXT(write_file(proc + "/uid_map", map_text(plan.uid_map)), "linux.uidMappings");
  } else {
    TRY_CONTEXT(run_map_helper("newuidmap", pid, plan.uid_map), "linux.uidMappings");
  }
  if (is_own_id(plan.gid_map, ::getegid())) {
    TRY(write_file(proc + "/setgroups", "deny"));
    TRY_CONTEXT(write_file(proc + "/gid_map", map_text(plan.gid_map)), "linux.gidMappings");
  } else {
    TRY_CONTEXT(run_map_helper("newgidmap", pid, plan.gid_map), "linux.gidMappings");
  }
  return {};
}

Result<void> join_namespaces(const plan::NamespacePlan& plan) {
  for (const auto& join : plan.joins) {
    if (join.type == oci::NamespaceType::kPid) continue;
    const auto flag = plan::clone_flag(join.type);
    if (::setns(join.fd.get(), static_cast<int>(flag)) != 0) {
      return system_error("setns to the " + std::string(plan::namespace_name(join.type)) +
                          " namespace");
    }
    if (join.type == oci::NamespaceType::kUser) TRY(become_namespace_root(plan.keep_groups));
  }
  return {};
}

Result<OwnNamespaces> make_own_namespaces(const plan::LaunchPlan& plan, std::uint64_t left_out) {
  if (left_out != 0 && ::unshare(static_cast<int>(left_out)) != 0) {
    return system_error("unshare the namespaces");
  }
  return OwnNamespaces(plan);
}

Result<UniqueFd> open_time_offsets(const plan::NamespacePlan& plan) {
  if (plan.time_offsets.empty()) return UniqueFd();
  return TRY_CONTEXT(open_file("/proc/self/timens_offsets", O_WRONLY), "linux.timeOffsets");
}

Result<void> unshare_time_namespace(const plan::NamespacePlan& plan, int offsets) {
  if (::unshare(kCloneNewTime) != 0) return system_error("unshare the time namespace");
  if (plan.time_offsets.empty()) return {};
  TRY_CONTEXT(write_fd(offsets, plan.time_offsets, "timens_offsets"), "linux.timeOffsets");
  return {};
}

namespace {

// Cgroup and time namespaces, made late: see NamespacePlan. `offsets`: see open_time_offsets.
Result<void> unshare_late_namespaces(const plan::NamespacePlan& plan, int offsets) {
  if (plan.new_cgroup && ::unshare(CLONE_NEWCGROUP) != 0) {
    return system_error("unshare the cgroup namespace");
  }
  // In a joined user namespace we were born in it: see fork_in_stage().
  if (!plan.new_time || plan.join_user) return {};
  TRY(unshare_time_namespace(plan, offsets));
  // unshare only moves children; we are the child that has to be in it.
  const auto fd = TRY(open_file("/proc/self/ns/time_for_children", O_RDONLY));
  if (::setns(fd.get(), kCloneNewTime) != 0) return system_error("setns to the time namespace");
  return {};
}

}  // namespace

Result<Isolated> enter_namespaces(OwnNamespaces own, Used& used) {
  const auto& plan = own.plan_->namespaces;
  UniqueFd offsets;
  if (!plan.join_user) offsets = TRY(open_time_offsets(plan));
  if (plan.new_user) TRY(become_namespace_root(plan.keep_groups));
  if (!plan.join_user) TRY(join_namespaces(plan));
  TRY(unshare_late_namespaces(plan, offsets.get()));
  if (plan.makes(oci::NamespaceType::kNetwork)) used.add(TRY(bring_up_loopback()));
  return Isolated(*own.plan_);
}

Result<void> become_namespace_root(bool keep_groups) {
  if (!keep_groups) {
    // Losing the right to call setgroups is normal here (gid maps without setgroups).
    auto none = set_groups({});
    if (!none.ok() && none.error().errno_value != EPERM) return none;
  }
  TRY(set_group(0));
  return set_user(0);
}

Result<UniqueFd> make_mapping_namespace(const std::vector<oci::IdMapping>& uids,
                                        const std::vector<oci::IdMapping>& gids) {
  CloneOptions options;
  options.namespaces = CLONE_NEWUSER;
  auto child = TRY(fork_child(options, [] {
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return 1;
    for (;;) ::pause();
    return 0;
  }));
  const std::string proc = "/proc/" + std::to_string(child.pid());
  TRY(write_maps(proc, uids, gids));
  return open_file(proc + "/ns/user", O_RDONLY);
}

}  // namespace langsbx::isolate
