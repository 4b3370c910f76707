// System calls that reach the machine, or kernel code that is known for its bugs.
#pragma once
#include <arpa/inet.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/time.h>
#include <sys/timex.h>

#include "attack.h"

static long a_kexec(void) { return syscall(SYS_kexec_load, 0, 0, NULL, 0); }
static long a_kexec_file(void) { return syscall(SYS_kexec_file_load, -1, -1, 0UL, "", 0UL); }
static long a_module(void) { return syscall(SYS_init_module, "", 0, ""); }
static long a_finit_module(void) { return syscall(SYS_finit_module, 0, "", 0); }
static long a_reboot(void) { return reboot(RB_DISABLE_CAD); }
static long a_swapoff(void) { return swapoff("/none-such"); }
static long a_settime(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return settimeofday(&now, NULL);
}
static long a_adjtime(void) {
  struct timex change = {.modes = ADJ_TICK, .tick = 10000};
  return adjtimex(&change);
}
static long a_iopl(void) { return syscall(SYS_iopl, 3); }
static long a_ioperm(void) { return syscall(SYS_ioperm, 0x80, 1, 1); }
static long a_syslog(void) { return syscall(SYS_syslog, 3, (char[64]){0}, 64); }
static long a_bpf(void) {
  union bpf_attr attributes = {
      .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
  return syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes));
}
static long a_perf(void) {
  struct perf_event_attr attributes = {
      .type = PERF_TYPE_SOFTWARE, .size = sizeof(attributes), .config = 0};
  attributes.exclude_kernel = 1;
  return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}
static long a_userfaultfd(void) { return syscall(SYS_userfaultfd, O_CLOEXEC | 1); }
static long a_io_uring(void) {
  struct io_uring_params parameters = {0};
  return syscall(SYS_io_uring_setup, 4, &parameters);
}
static long a_add_key(void) { return syscall(SYS_add_key, "user", "it", "x", 1UL, -4); }
static long a_keyctl(void) { return syscall(SYS_keyctl, 0, -4, 1); }
static long a_request_key(void) {
  const long found = syscall(SYS_request_key, "user", "none-such", NULL, 0);
  return found < 0 && errno == ENOKEY ? 0 : found;  // the kernel looked: the call is open
}
static long a_modify_ldt(void) { return syscall(SYS_modify_ldt, 0, (char[64]){0}, 64UL); }
static long a_fanotify(void) { return syscall(SYS_fanotify_init, 0x200 | 1, O_RDONLY); }
static long a_memfd_secret(void) { return syscall(447, 0); }
static long a_quotactl(void) { return syscall(SYS_quotactl, 0x80000700, "/dev/vda", 0, 0); }
static long a_acct(void) { return syscall(SYS_acct, "/tmp/none"); }
static long a_vhangup(void) { return syscall(SYS_vhangup); }
static long a_hostname(void) { return sethostname("evil", 4); }
static long a_domainname(void) { return setdomainname("evil", 4); }
static long a_personality(void) { return syscall(SYS_personality, 0x0040000); }
static long a_uselib(void) { return syscall(SYS_uselib, "/bin/busybox"); }

static long a_packet(void) { return socket(AF_PACKET, SOCK_RAW, htons(3)); }
static long a_raw_ip(void) { return socket(AF_INET, SOCK_RAW, 1); }
static long a_af_alg(void) { return socket(38, SOCK_SEQPACKET, 0); }
// The page cache written through splice into a cipher.
static long a_splice_alg(void) {
  struct {
    uint16_t family;
    uint8_t type[14];
    uint32_t feature, mask;
    uint8_t name[64];
  } address = {.family = 38, .type = "skcipher", .name = "ecb(aes)"};
  int ends[2];
  const int fd = socket(38, SOCK_SEQPACKET, 0);
  if (fd < 0 || bind(fd, (void*)&address, sizeof(address)) != 0 || pipe(ends) != 0) return -1;
  return splice(ends[0], NULL, accept(fd, NULL, 0), NULL, 1, SPLICE_F_NONBLOCK);
}
static long a_vsock(void) { return socket(40, SOCK_STREAM, 0); }
static long a_netlink_audit(void) { return socket(AF_NETLINK, SOCK_RAW, 9); }
static long a_netlink_xfrm(void) { return socket(AF_NETLINK, SOCK_RAW, 6); }
static long a_netlink_netfilter(void) { return socket(AF_NETLINK, SOCK_RAW, 12); }
static long a_netlink_generic(void) { return socket(AF_NETLINK, SOCK_RAW, 16); }

static long a_tiocsti(void) {
  const int fd = open("/dev/tty", O_RDWR);
  return ioctl(fd < 0 ? 0 : fd, TIOCSTI, "x");
}
static long a_tioclinux(void) { return ioctl(0, TIOCLINUX, "\1"); }

#ifdef __x86_64__
// The other two doors into the same kernel.
static long a_x32(void) {
  const long result = syscall(0x40000000 + SYS_getpid);
  return result;
}
static long a_int80(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
  return result < 0 ? refused((int)-result) : result;
}
#else
static long a_x32(void) { return refused(ENOSYS); }
static long a_int80(void) { return refused(ENOSYS); }
#endif

// A filter of one's own that lets everything through, to be asked instead of the one there is.
static long a_seccomp_off(void) { return prctl(PR_SET_SECCOMP, 0, 0, 0, 0); }
static long a_seccomp_without_nnp(void) {
  struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {1, &allow};
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return refused(EPERM);
  return syscall(SYS_seccomp, 1, 0, &program);
}

#define KERNEL_ATTACKS                                                                            \
  ATTACK(kexec), ATTACK(kexec_file), ATTACK(module), ATTACK(finit_module), ATTACK(reboot),        \
      ATTACK(swapoff), ATTACK(settime), ATTACK(adjtime), ATTACK(iopl), ATTACK(ioperm),            \
      ATTACK(syslog), ATTACK(bpf), ATTACK(perf), ATTACK(userfaultfd), ATTACK(io_uring),           \
      ATTACK(add_key), ATTACK(keyctl), ATTACK(request_key), ATTACK(modify_ldt), ATTACK(fanotify), \
      ATTACK(memfd_secret), ATTACK(quotactl), ATTACK(acct), ATTACK(vhangup), ATTACK(hostname),    \
      ATTACK(domainname), ATTACK(personality), ATTACK(uselib), ATTACK(packet), ATTACK(raw_ip),    \
      ATTACK(af_alg), ATTACK(splice_alg), ATTACK(vsock), ATTACK(netlink_audit),                   \
      ATTACK(netlink_xfrm), ATTACK(netlink_netfilter), ATTACK(netlink_generic), ATTACK(tiocsti),  \
      ATTACK(tioclinux), ATTACK(x32), ATTACK(int80), ATTACK(seccomp_off),                         \
      ATTACK(seccomp_without_nnp)
