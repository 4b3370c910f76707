// A filter on top of the language's: everything is allowed but what reaches other processes.
#include "runtime/execute/light_seccomp.h"

#include <cerrno>

namespace langsbx::execute {
namespace {

oci::SeccompRule refuse(std::vector<std::string> names, std::vector<oci::SeccompArg> args = {}) {
  return {std::move(names), "SCMP_ACT_ERRNO", EPERM, std::move(args)};
}

// With 0 these calls mean the caller; the kernel reads 32 bits, but a program that sets the others
// is refused, too.
oci::SeccompArg not_zero(std::uint32_t index) { return {index, 0, 0, "SCMP_CMP_NE"}; }

}  // namespace

confine::SeccompSource light_seccomp(bool no_network, bool own_signals) {
  confine::SeccompSource source;
  source.name =
      std::string("light") + (no_network ? "" : "-network") + (own_signals ? "" : "-mute");
  auto& profile = source.profile;
  profile.default_action = "SCMP_ACT_ALLOW";
  // Other processes of the same user: their limits, priorities and places.
  profile.syscalls.push_back(
      refuse({"prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam",
              "sched_setscheduler", "migrate_pages", "move_pages"},
             {not_zero(0)}));
  profile.syscalls.push_back(refuse({"setpriority", "ioprio_set"}, {not_zero(1)}));
  // IPC of the host.
  profile.syscalls.push_back(
      refuse({"shmget",     "shmat",      "shmctl",      "semget",           "semop",
              "semctl",     "semtimedop", "msgget",      "msgsnd",           "msgrcv",
              "msgctl",     "mq_open",    "mq_unlink",   "process_vm_readv", "process_vm_writev",
              "ptrace",     "kcmp",       "pidfd_getfd", "keyctl",           "add_key",
              "request_key"}));
  // The way past every filter of paths and sockets.
  profile.syscalls.push_back(refuse({"io_uring_setup", "io_uring_enter", "io_uring_register"}));
  if (no_network) profile.syscalls.push_back(refuse({"socket"}));
  if (!own_signals) {
    profile.syscalls.push_back(refuse(
        {"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"}));
  }
  return source;
}

}  // namespace langsbx::execute
