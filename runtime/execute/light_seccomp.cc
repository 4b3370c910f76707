// A filter on top of the language's: everything is allowed but what reaches other processes.
#include "runtime/execute/light_seccomp.h"

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/ioprio.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cerrno>

namespace langsbx::execute {
namespace {

oci::SeccompRule refuse(std::vector<std::string> names, std::vector<oci::SeccompArg> args = {}) {
  return {std::move(names), "SCMP_ACT_ERRNO", EPERM, std::move(args)};
}

// With 0 these calls mean the caller; the kernel reads 32 bits, but a program that sets the others
// is refused, too.
oci::SeccompArg not_zero(std::uint32_t index) { return {index, 0, 0, "SCMP_CMP_NE"}; }

oci::SeccompArg is(std::uint32_t index, std::uint64_t value, std::uint64_t bits = 0xffffffff) {
  return {index, bits, value, "SCMP_CMP_MASKED_EQ"};
}

// Other processes of the same user: their limits, priorities and places. What names a group or a
// user means more than the caller, also with 0.
void refuse_others(std::vector<oci::SeccompRule>& rules) {
  rules.push_back(refuse({"prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam",
                          "sched_setscheduler", "migrate_pages", "move_pages"},
                         {not_zero(0)}));
  rules.push_back(refuse({"setpriority", "ioprio_set"}, {not_zero(1)}));
  rules.push_back(refuse({"setpriority"}, {{0, PRIO_PROCESS, 0, "SCMP_CMP_NE"}}));
  rules.push_back(refuse({"ioprio_set"}, {{0, IOPRIO_WHO_PROCESS, 0, "SCMP_CMP_NE"}}));
}

// A signal is also what a descriptor's owner gets when there is something to read.
void refuse_signals(std::vector<oci::SeccompRule>& rules) {
  rules.push_back(refuse(
      {"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"}));
  for (const int command : {F_SETOWN, F_SETOWN_EX}) {
    rules.push_back(refuse({"fcntl"}, {is(1, static_cast<std::uint64_t>(command))}));
  }
  for (const int command : {FIOSETOWN, SIOCSPGRP}) {
    rules.push_back(refuse({"ioctl"}, {is(1, static_cast<std::uint64_t>(command))}));
  }
}

// Landlock lets nobody list a directory that is not named, and does not judge who watches it: each
// new name is told. And how many watches there are is counted for all that the user runs.
void refuse_watching(std::vector<oci::SeccompRule>& rules) {
  rules.push_back(refuse(
      {"inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init", "fanotify_mark"}));
}

// Any socket, also one of a pair, is asked for the host's interfaces and their addresses.
void refuse_network(std::vector<oci::SeccompRule>& rules) {
  constexpr std::uint64_t kSocketCalls = 0x8900;
  constexpr std::uint64_t kAllButTheLast = 0xffffff00;
  rules.push_back(refuse({"socket"}));
  // Of another family (TIPC) an end reaches more than the other one.
  rules.push_back(refuse({"socketpair"}, {{0, AF_UNIX, 0, "SCMP_CMP_NE"}}));
  rules.push_back(refuse({"ioctl"}, {is(1, kSocketCalls, kAllButTheLast)}));
}

// Sockets of the host that have a name in its file system: a session's bus, an engine, an agent.
// A pair of datagram sockets reaches them, too, by the address of each datagram.
void refuse_named_sockets(std::vector<oci::SeccompRule>& rules) {
  constexpr std::uint64_t kTypeBits = 0xf;
  constexpr std::uint64_t kAllBits = 0xffffffff;
  rules.push_back(refuse({"socket"}, {{0, kAllBits, AF_UNIX, "SCMP_CMP_MASKED_EQ"}}));
  rules.push_back(refuse({"socketpair"}, {{1, kTypeBits, SOCK_DGRAM, "SCMP_CMP_MASKED_EQ"}}));
}

// Landlock judges what is opened; who owns a file may change these by its name. By descriptor they
// go on working.
void refuse_metadata(std::vector<oci::SeccompRule>& rules) {
  rules.push_back(refuse({"chmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchownat", "utime",
                          "utimes", "futimesat", "setxattr", "lsetxattr", "setxattrat",
                          "removexattr", "lremovexattr", "removexattrat", "file_setattr"}));
  // utimensat of a descriptor has no path.
  rules.push_back(refuse({"utimensat"}, {{1, 0, 0, "SCMP_CMP_NE"}}));
}

}  // namespace

confine::SeccompSource light_seccomp(const LightLimits& limits) {
  confine::SeccompSource source;
  source.name = std::string("light") + (limits.network ? "-network" : "") +
                (limits.named_sockets ? "-sockets" : "") + (limits.own_files ? "" : "-owner") +
                (limits.own_signals ? "" : "-mute");
  auto& profile = source.profile;
  profile.default_action = "SCMP_ACT_ALLOW";
  refuse_others(profile.syscalls);
  refuse_watching(profile.syscalls);
  // IPC of the host.
  profile.syscalls.push_back(
      refuse({"shmget",     "shmat",      "shmctl",      "semget",           "semop",
              "semctl",     "semtimedop", "msgget",      "msgsnd",           "msgrcv",
              "msgctl",     "mq_open",    "mq_unlink",   "process_vm_readv", "process_vm_writev",
              "ptrace",     "kcmp",       "pidfd_getfd", "keyctl",           "add_key",
              "request_key"}));
  // The way past every filter of paths and sockets.
  profile.syscalls.push_back(refuse({"io_uring_setup", "io_uring_enter", "io_uring_register"}));
  if (!limits.network) refuse_network(profile.syscalls);
  if (!limits.named_sockets) refuse_named_sockets(profile.syscalls);
  if (!limits.own_files) refuse_metadata(profile.syscalls);
  if (!limits.own_signals) refuse_signals(profile.syscalls);
  return source;
}

}  // namespace langsbx::execute
