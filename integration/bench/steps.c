// steps OUT SIZE PROGRAM [ARG...]: runs a position-independent program instruction by instruction, with the
// children it makes until they execute another program, and writes which blocks of 16 bytes of its first SIZE
// bytes ran, one hexadecimal offset a line, in the order in which they ran first, and by whom: 1 the program, 2 its
// children, 3 both. Unlike callgrind it knows every system call.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kBlock = 16 };

static unsigned long load_address(pid_t pid, const char* program) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  FILE* maps = fopen(path, "r");
  unsigned long address = 0;
  while (maps != NULL && address == 0 && fgets(line, sizeof line, maps) != NULL) {
    if (strstr(line, program) != NULL) address = strtoul(line, NULL, 16);
  }
  if (maps != NULL) fclose(maps);
  return address;
}

static struct {
  unsigned char* ran;   // by whom
  unsigned long* order; // which, one after the other
  unsigned long count;
} blocks;

static int write_blocks(const char* path) {
  FILE* out = fopen(path, "w");
  if (out == NULL) return 1;
  for (unsigned long i = 0; i < blocks.count; ++i) {
    fprintf(out, "%lx %d\n", blocks.order[i] * kBlock, blocks.ran[blocks.order[i]]);
  }
  return fclose(out);
}

static int go_on(pid_t pid, int status, unsigned long base, unsigned long size, int whose) {
  const int signal = WSTOPSIG(status), event = status >> 16;
  if (event == PTRACE_EVENT_EXEC) return (int)ptrace(PTRACE_DETACH, pid, 0, 0);
  if (event != 0 || signal == SIGSTOP) return (int)ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
  if (signal != SIGTRAP) return (int)ptrace(PTRACE_SINGLESTEP, pid, 0, signal);
  const unsigned long at =
      (unsigned long)ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user_regs_struct, rip), 0) - base;
  if (at < size) {
    if (!blocks.ran[at / kBlock]) blocks.order[blocks.count++] = at / kBlock;
    blocks.ran[at / kBlock] |= (unsigned char)whose;
  }
  return (int)ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const unsigned long size = strtoul(argv[2], NULL, 0);
  blocks.ran = calloc(size / kBlock + 1, 1);
  blocks.order = calloc(size / kBlock + 1, sizeof *blocks.order);
  const pid_t program = fork();
  if (program == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(argv[3], argv + 3);
    _exit(127);
  }
  int status = 0;
  if (blocks.ran == NULL || blocks.order == NULL || waitpid(program, &status, 0) != program) return 1;
  ptrace(PTRACE_SETOPTIONS, program, 0,
         PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC);
  const unsigned long base = load_address(program, argv[3]);
  ptrace(PTRACE_SINGLESTEP, program, 0, 0);
  // What it leaves behind (a container) runs on undisturbed.
  for (pid_t pid; (pid = waitpid(-1, &status, __WALL)) > 0;) {
    if (WIFSTOPPED(status)) {
      go_on(pid, status, base, size, pid == program ? 1 : 2);
    } else if (pid == program) {
      break;
    }
  }
  return write_blocks(argv[1]) != 0 || status != 0;
}
