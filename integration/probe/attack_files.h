// Files of the kernel and of the host; device nodes; programs that should not run.
#pragma once
#include <sys/mount.h>
#include <sys/sysmacros.h>

#include "attack.h"

static long opened_node(const char* path, mode_t mode, unsigned major, unsigned minor, int flags) {
  unlink(path);
  if (mknod(path, mode | 0600, makedev(major, minor)) != 0) return -1;
  return open(path, flags);
}
static long a_mknod_disk(void) { return opened_node("/tmp/disk", S_IFBLK, 254, 0, O_RDONLY); }
static long a_mknod_mem(void) { return opened_node("/tmp/mem", S_IFCHR, 1, 1, O_RDONLY); }
static long a_mknod_kmsg(void) {
  return opened_node("/tmp/kmsg", S_IFCHR, 1, 11, O_RDONLY | O_NONBLOCK);
}
static long a_mknod_fuse(void) { return opened_node("/tmp/fuse", S_IFCHR, 10, 229, O_RDWR); }
static long a_mknod_kvm(void) { return opened_node("/tmp/kvm", S_IFCHR, 10, 232, O_RDWR); }
static long a_mknod_tty(void) {
  return opened_node("/tmp/tty1", S_IFCHR, 4, 1, O_RDWR | O_NOCTTY | O_NONBLOCK);
}
static long a_handle(void) {
  struct {
    struct file_handle head;
    unsigned char bytes[64];
  } handle = {.head = {.handle_bytes = 8, .handle_type = 1}};
  handle.bytes[0] = 2;
  return syscall(SYS_open_by_handle_at, open("/etc/passwd", O_RDONLY), &handle, O_RDONLY);
}

static long a_core_pattern(void) { return write_to("/proc/sys/kernel/core_pattern", "|/bin/evil"); }
static long a_sysrq(void) { return write_to("/proc/sysrq-trigger", "h"); }
static long a_modprobe(void) { return write_to("/proc/sys/kernel/modprobe", "/bin/evil"); }
static long a_panic(void) { return write_to("/proc/sys/kernel/panic_on_oops", "0"); }
static long a_overcommit(void) { return write_to("/proc/sys/vm/overcommit_memory", "0"); }
static long a_aslr(void) { return write_to("/proc/sys/kernel/randomize_va_space", "2"); }
static long a_binfmt(void) {
  return write_to("/proc/sys/fs/binfmt_misc/register", ":x:E::x::/bin/evil:");
}
static long a_uevent(void) { return write_to("/sys/kernel/uevent_helper", "/bin/evil"); }
static long a_sys_power(void) { return write_to("/sys/power/state", "none-such"); }
static long a_hugepages(void) {
  return write_to("/sys/kernel/mm/transparent_hugepage/defrag", "madvise");
}
static long a_irq(void) { return write_to("/proc/irq/default_smp_affinity", "3"); }
static long a_release_agent(void) {
  if (write_to("/sys/fs/cgroup/memory/release_agent", "/bin/evil") > 0) return 0;
  mkdir("/tmp/cg", 0700);
  if (mount("cgroup", "/tmp/cg", "cgroup", 0, "memory") != 0) return -1;
  return write_to("/tmp/cg/release_agent", "/bin/evil");
}
static long a_devices_allow(void) { return write_to("/sys/fs/cgroup/devices/devices.allow", "a"); }
static long a_cgroup_mkdir(void) {
  if (mkdir("/sys/fs/cgroup/evil", 0700) == 0) return 0;
  return mkdir("/sys/fs/cgroup/memory/evil", 0700);
}
static long a_kcore(void) { return read_from("/proc/kcore"); }
static long a_kmsg(void) { return read_from("/proc/kmsg"); }
static long a_keys(void) { return read_from("/proc/keys"); }
static long a_timer_list(void) { return read_from("/proc/timer_list"); }
static long a_sched_debug(void) { return read_from("/proc/sched_debug"); }
static long a_kpagecount(void) { return read_from("/proc/kpagecount"); }
static long a_firmware(void) { return read_from("/sys/firmware/acpi/tables/DSDT"); }
// Addresses of the kernel, the first step of most exploits; zeros are no addresses.
static long a_kallsyms(void) {
  char text[17] = {0};
  const int fd = open("/proc/kallsyms", O_RDONLY);
  if (fd < 0 || read(fd, text, 16) != 16) return -1;
  return strtoull(text, NULL, 16) == 0 ? refused(EPERM) : 0;
}

static long a_exe_write(void) { return open("/proc/1/exe", O_WRONLY); }
static long a_write_etc(void) { return open("/etc/passwd", O_WRONLY | O_APPEND); }
static long a_write_bin(void) { return open("/bin/evil", O_WRONLY | O_CREAT, 0755); }
static long a_link_etc(void) {
  unlink("/tmp/hard");
  return link("/etc/passwd", "/tmp/hard");
}

static long ran(const char* path, int fd) {
  const pid_t child = fork();
  if (child == 0) {
    char* arguments[] = {"true", NULL};
    char* none[] = {NULL};
    if (fd >= 0)
      syscall(SYS_execveat, fd, "", arguments, none, AT_EMPTY_PATH);
    else
      execve(path, arguments, none);
    _exit(errno == 0 ? 200 : errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return refused(EINTR);
  return WEXITSTATUS(status) == 0 ? 0 : refused(WEXITSTATUS(status));
}
static long copied(int to) {
  char buffer[65536];
  const int from = open("/bin/busybox", O_RDONLY);
  long count = -1;
  while (from >= 0 && (count = read(from, buffer, sizeof(buffer))) > 0) {
    if (write(to, buffer, (size_t)count) != count) return -1;
  }
  return from < 0 ? -1 : count;
}
// A program that was brought along, from a file and from memory.
static long a_dropped_program(void) {
  const int to = open("/tmp/dropped", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
  if (to < 0 || copied(to) != 0) return -1;
  close(to);
  return ran("/tmp/dropped", -1);
}
static long a_memory_program(void) {
  const int to = (int)syscall(SYS_memfd_create, "x", 1);
  if (to < 0 || copied(to) != 0) return -1;
  return ran(NULL, to);
}

#define FILE_ATTACKS                                                                               \
  ATTACK(mknod_disk), ATTACK(mknod_mem), ATTACK(mknod_kmsg), ATTACK(mknod_fuse),                   \
      ATTACK(mknod_kvm), ATTACK(mknod_tty), ATTACK(handle), ATTACK(core_pattern), ATTACK(sysrq),   \
      ATTACK(modprobe), ATTACK(panic), ATTACK(overcommit), ATTACK(aslr), ATTACK(binfmt),           \
      ATTACK(uevent), ATTACK(sys_power), ATTACK(hugepages), ATTACK(irq), ATTACK(release_agent),    \
      ATTACK(devices_allow), ATTACK(cgroup_mkdir), ATTACK(kcore), ATTACK(kmsg), ATTACK(keys),      \
      ATTACK(timer_list), ATTACK(sched_debug), ATTACK(kpagecount), ATTACK(firmware),               \
      ATTACK(kallsyms), ATTACK(exe_write), ATTACK(write_etc), ATTACK(write_bin), ATTACK(link_etc), \
      ATTACK(dropped_program), ATTACK(memory_program)
