// attack NAME: one known escape or escalation technique; prints "refused: why" or "SUCCEEDED".
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static long write_to(const char* path, const char* text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  return fd < 0 ? -1 : write(fd, text, strlen(text));
}

static long a_mount(void) { return mount("none", "/mnt", "tmpfs", 0, NULL); }
static long a_remount(void) { return mount("none", "/", NULL, MS_REMOUNT | MS_BIND | MS_NOSUID, NULL); }
static long a_umount(void) { return umount2("/proc/kcore", MNT_DETACH); }
static long a_umount_proc(void) { return umount2("/proc/sys", MNT_DETACH); }
static long a_fsopen(void) { return syscall(SYS_fsopen, "proc", 0); }
static long a_open_tree(void) { return syscall(428, AT_FDCWD, "/", 1); }
static long a_pivot(void) { return syscall(SYS_pivot_root, "/", "/mnt"); }
static long a_unshare_user(void) { return unshare(CLONE_NEWUSER); }
static long a_unshare_mount(void) { return unshare(CLONE_NEWNS); }
static long a_unshare_net(void) { return unshare(CLONE_NEWNET); }
static long a_setns_init(void) {
  const int fd = open("/proc/1/ns/mnt", O_RDONLY);
  return fd < 0 ? -1 : setns(fd, CLONE_NEWNS);
}
static long a_kexec(void) { return syscall(SYS_kexec_load, 0, 0, NULL, 0); }
static long a_module(void) { return syscall(SYS_init_module, "", 0, ""); }
static long a_finit_module(void) { return syscall(SYS_finit_module, 0, "", 0); }
static long a_reboot(void) { return reboot(RB_DISABLE_CAD); }
static long a_swapoff(void) { return swapoff("/none-such"); }
static long a_settime(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return settimeofday(&now, NULL);
}
static long a_iopl(void) { return syscall(SYS_iopl, 3); }
static long a_syslog(void) { return syscall(SYS_syslog, 3, (char[64]){0}, 64); }
static long a_bpf(void) {
  union bpf_attr attributes = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
  return syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes));
}
static long a_perf(void) {
  struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof(attributes), .config = 0};
  return syscall(SYS_perf_event_open, &attributes, -1, 0, -1, 0);
}
static long a_userfaultfd(void) { return syscall(SYS_userfaultfd, O_CLOEXEC); }
static long a_io_uring(void) {
  struct io_uring_params parameters = {0};
  return syscall(SYS_io_uring_setup, 4, &parameters);
}
static long a_keyctl(void) { return syscall(SYS_add_key, "user", "it", "x", 1, -4); }
static long a_handle(void) {
  struct {
    struct file_handle head;
    unsigned char bytes[64];
  } handle = {.head = {.handle_bytes = 8, .handle_type = 1}};
  handle.bytes[0] = 2;
  return syscall(SYS_open_by_handle_at, open("/etc/passwd", O_RDONLY), &handle, O_RDONLY);
}
static long a_raw_socket(void) { return socket(AF_PACKET, SOCK_RAW, htons(3)); }
static long a_af_alg(void) { return socket(38, SOCK_SEQPACKET, 0); }
static long a_vsock(void) { return socket(40, SOCK_STREAM, 0); }
static long a_netlink_audit(void) { return socket(AF_NETLINK, SOCK_RAW, 9); }
static long a_mknod_disk(void) {
  unlink("/tmp/disk");
  if (mknod("/tmp/disk", S_IFBLK | 0600, makedev(254, 0)) != 0) return -1;
  return open("/tmp/disk", O_RDONLY);
}
static long a_mknod_mem(void) {
  unlink("/tmp/mem");
  if (mknod("/tmp/mem", S_IFCHR | 0600, makedev(1, 1)) != 0) return -1;
  return open("/tmp/mem", O_RDONLY);
}
static long a_core_pattern(void) { return write_to("/proc/sys/kernel/core_pattern", "|/bin/evil"); }
static long a_sysrq(void) { return write_to("/proc/sysrq-trigger", "h"); }
static long a_modprobe(void) { return write_to("/proc/sys/kernel/modprobe", "/bin/evil"); }
static long a_binfmt(void) { return write_to("/proc/sys/fs/binfmt_misc/register", ":x:E::x::/bin/evil:"); }
static long a_uevent(void) { return write_to("/sys/kernel/uevent_helper", "/bin/evil"); }
static long a_release_agent(void) {
  if (write_to("/sys/fs/cgroup/memory/release_agent", "/bin/evil") > 0) return 0;
  mkdir("/tmp/cg", 0700);
  if (mount("cgroup", "/tmp/cg", "cgroup", 0, "memory") != 0) return -1;
  return write_to("/tmp/cg/release_agent", "/bin/evil");
}
static long a_kcore(void) {
  char byte;
  const int fd = open("/proc/kcore", O_RDONLY);
  if (fd < 0) return -1;
  const long got = read(fd, &byte, 1);
  if (got == 0) errno = ENODATA;
  return got > 0 ? 0 : -1;
}
static long a_exe_write(void) { return open("/proc/1/exe", O_WRONLY); }
static long a_proc_root(void) { return chroot("/proc/1/root/proc/1/root") == 0 ? access("/bin/busybox", F_OK) - 1 : -1; }
static long a_tiocsti(void) { return ioctl(0, TIOCSTI, "x"); }
static long a_oom_host(void) { return write_to("/proc/self/oom_score_adj", "-900"); }
static long a_nice(void) { return nice(-5) == -1 && errno ? -1 : 0; }
static long a_mlock(void) { return syscall(SYS_mlockall, 3); }
static long a_quotactl(void) { return syscall(SYS_quotactl, 0x80000700, "/dev/vda", 0, 0) == 0 ? 0 : -1; }
static long a_acct(void) { return syscall(SYS_acct, "/tmp/none"); }
static long a_hostname(void) { return sethostname("evil", 4); }
static long a_setuid_root(void) { return setuid(0) == 0 && getuid() == 0 && geteuid() == 0 ? 0 : -1; }
static long a_personality(void) { return syscall(SYS_personality, 0x0040000) < 0 ? -1 : 0; }

#define ATTACK(name) {#name, a_##name}
static const struct {
  const char* name;
  long (*run)(void);
} kAttacks[] = {
    ATTACK(mount), ATTACK(remount), ATTACK(umount), ATTACK(umount_proc), ATTACK(fsopen), ATTACK(open_tree), ATTACK(pivot),
    ATTACK(unshare_user), ATTACK(unshare_mount), ATTACK(unshare_net), ATTACK(setns_init), ATTACK(kexec), ATTACK(module),
    ATTACK(finit_module), ATTACK(reboot), ATTACK(swapoff), ATTACK(settime), ATTACK(iopl), ATTACK(syslog), ATTACK(bpf),
    ATTACK(perf), ATTACK(userfaultfd), ATTACK(io_uring), ATTACK(keyctl), ATTACK(handle),
    ATTACK(raw_socket), ATTACK(af_alg), ATTACK(vsock), ATTACK(netlink_audit),
    ATTACK(mknod_disk), ATTACK(mknod_mem), ATTACK(core_pattern), ATTACK(sysrq), ATTACK(modprobe), ATTACK(binfmt),
    ATTACK(uevent), ATTACK(release_agent), ATTACK(kcore), ATTACK(exe_write), ATTACK(proc_root), ATTACK(tiocsti),
    ATTACK(oom_host), ATTACK(nice), ATTACK(mlock), ATTACK(quotactl), ATTACK(acct), ATTACK(hostname), ATTACK(setuid_root),
    ATTACK(personality),
};

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof(kAttacks) / sizeof(kAttacks[0]); ++i) {
    if (argc > 1 && strcmp(argv[1], kAttacks[i].name) != 0) continue;
    // Each in a child: an attack may change the process, or be killed for trying.
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(2);
      errno = 0;
      const long result = kAttacks[i].run();
      if (result >= 0)
        printf("%s SUCCEEDED\n", kAttacks[i].name);
      else
        printf("%s refused: %s\n", kAttacks[i].name, strerror(errno));
      fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) printf("%s refused: killed by signal %d\n", kAttacks[i].name, WTERMSIG(status));
  }
  return 0;
}
