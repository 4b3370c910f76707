// refuse_filters PROGRAM ARG...: executes it where no seccomp filter can be loaded any more
// (EINVAL). Asking what the kernel knows, which passes no filter, works as before.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  struct sock_filter steps[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 5, SYS_seccomp},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args[0])},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, SECCOMP_SET_MODE_FILTER},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args[2])},
      {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EINVAL},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  if (argc < 2) return 2;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) {
    perror("seccomp");
    return 1;
  }
  execv(argv[1], argv + 1);
  perror(argv[1]);
  return 1;
}
