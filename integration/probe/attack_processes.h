// Other processes, one's own privileges, the machine's resources.
#pragma once
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "attack.h"

static long a_ptrace_sibling(void) { return ptrace(PTRACE_SEIZE, victim(), NULL, NULL); }
static long a_ptrace_init(void) { return ptrace(PTRACE_SEIZE, 1, NULL, NULL); }
static long a_vm_read(void) {
  char byte;
  static char theirs = 'x';
  const struct iovec here = {&byte, 1}, there = {&theirs, 1};
  return process_vm_readv(victim(), &here, 1, &there, 1, 0);
}
static long a_vm_write(void) {
  static char value = 'x';
  const struct iovec part = {&value, 1};
  return process_vm_writev(victim(), &part, 1, &part, 1, 0);
}
static long a_mem_init(void) { return open("/proc/1/mem", O_RDWR); }
static long a_mem_sibling(void) {
  char path[64];
  snprintf(path, sizeof(path), "/proc/%d/mem", victim());
  return open(path, O_RDWR);
}
static long a_pidfd_getfd(void) { return syscall(438, syscall(434, victim(), 0), 0, 0); }
static long a_kcmp(void) { return syscall(SYS_kcmp, getpid(), victim(), 1, 0UL, 0UL); }
static long a_abstract_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char* name = getenv("ATTACK_SOCKET");
  if (name == NULL) return refused(ENOENT);
  strncpy(address.sun_path + 1, name, sizeof(address.sun_path) - 2);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  return fd < 0 ? -1
                : connect(fd, (void*)&address, (socklen_t)(sizeof(sa_family_t) + 1 + strlen(name)));
}

static long a_setuid_root(void) { return setuid(0) == 0 && geteuid() == 0 ? 0 : -1; }
static long raise_to(unsigned capability) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0}};
  if (syscall(SYS_capget, &header, data) != 0) return -1;
  data[capability / 32].permitted |= 1U << capability % 32;
  data[capability / 32].effective |= 1U << capability % 32;
  return syscall(SYS_capset, &header, data);
}
static long a_cap_sys_admin(void) { return raise_to(CAP_SYS_ADMIN); }
static long a_cap_sys_module(void) { return raise_to(CAP_SYS_MODULE); }
static long a_cap_ambient(void) {
  return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0);
}
static long a_mm_exe(void) {
  return prctl(PR_SET_MM, PR_SET_MM_EXE_FILE, open("/bin/busybox", O_RDONLY), 0, 0);
}

static long a_oom_host(void) { return write_to("/proc/self/oom_score_adj", "-900"); }
static long a_nice(void) {
  errno = 0;
  return nice(-5) == -1 && errno ? -1 : 0;
}
static long a_realtime(void) {
  const struct sched_param first = {.sched_priority = 1};
  return sched_setscheduler(0, SCHED_FIFO, &first);
}
static long a_io_realtime(void) { return syscall(SYS_ioprio_set, 1, 0, 1 << 13); }
static long a_mlock(void) { return syscall(SYS_mlockall, 3); }
static long a_files_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  ++limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit);
}

#define PROCESS_ATTACKS                                                                            \
  ATTACK(ptrace_sibling), ATTACK(ptrace_init), ATTACK(vm_read), ATTACK(vm_write),                  \
      ATTACK(mem_init), ATTACK(mem_sibling), ATTACK(pidfd_getfd), ATTACK(kcmp),                    \
      ATTACK(abstract_socket), ATTACK(setuid_root), ATTACK(cap_sys_admin), ATTACK(cap_sys_module), \
      ATTACK(cap_ambient), ATTACK(mm_exe), ATTACK(oom_host), ATTACK(nice), ATTACK(realtime),       \
      ATTACK(io_realtime), ATTACK(mlock), ATTACK(files_limit)
