// fault LOG RUNTIME [PROCESS CALL NTH ERRNO] -- COMMAND...: runs the command and lets one system call of the runtime fail.
// strace counts calls in each process apart and can't say which process is meant; this names it: its place in the order of their making.
// LOG: "call" PROCESS CALL NTH NUMBERS TEXTS for each call, "injected" with the same, "exec" PROCESS, "died" PROCESS SIGNAL. Programs and hooks are let go.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kMostProcesses = 256, kMostCalls = 600, kMostText = 120, kArguments = 5, kNumbers = 3 };

struct process {
  pid_t pid;
  int is_runtime, started, in_call, fails;
  unsigned count[kMostCalls];
};

static struct process processes[kMostProcesses];
static int made, left, fault_process = -1, fault_call, fault_nth, fault_errno;
static off_t runtime_size;
static FILE* out;

static void give_up(const char* what) {
  perror(what);
  exit(125);
}

static struct process* find(pid_t pid) {
  for (int i = made; i-- > 0;)
    if (processes[i].pid == pid) return &processes[i];
  return NULL;
}

static struct process* add(pid_t pid) {
  struct process* known = find(pid);
  if (known != NULL) return known;
  if (made == kMostProcesses) give_up("too many processes");
  processes[made].pid = pid;
  ++left;
  return &processes[made++];
}

static int number_of(const struct process* process) { return (int)(process - processes); }

static int executes_runtime(pid_t pid) {
  char name[64];
  struct stat file;
  snprintf(name, sizeof name, "/proc/%d/exe", pid);
  // A copy in memory counts, too.
  return stat(name, &file) == 0 && file.st_size == runtime_size;
}

// Whose rule it is: the descriptor in a Landlock rule.
static void describe_rule(pid_t pid, unsigned long long rule) {
  struct {
    unsigned long long access;
    int parent;
  } __attribute__((packed)) beneath = {0, -1};
  struct iovec here = {&beneath, sizeof beneath}, there = {(void*)rule, sizeof beneath};
  if (process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)sizeof beneath) fprintf(out, "\tbeneath:%d", beneath.parent);
}

// Arguments that point to text, and the name of a descriptor.
static void describe(pid_t pid, const unsigned long long* arguments) {
  char name[64], text[kMostText + 1];
  // Numbers as they are; of what lies in memory only that it does.
  for (int i = 0; i < kNumbers; ++i) {
    fprintf(out, i == 0 ? "\t" : ",");
    if (arguments[i] < 65536) fprintf(out, "%llu", arguments[i]);
  }
  if (arguments[0] < 1024) {
    snprintf(name, sizeof name, "/proc/%d/fd/%d", pid, (int)arguments[0]);
    const ssize_t size = readlink(name, text, kMostText);
    if (size > 0) fprintf(out, "\tfd:%.*s", (int)size, text);
  }
  for (int i = 0; i < kArguments; ++i) {
    // A page at a time: the one behind may not be there.
    ssize_t size = 0;
    while (arguments[i] >= 65536 && size < kMostText) {
      const unsigned long long from = arguments[i] + (unsigned long long)size;
      size_t room = 4096 - from % 4096;
      if (room > (size_t)(kMostText - size)) room = (size_t)(kMostText - size);
      struct iovec here = {text + size, room}, there = {(void*)from, room};
      const ssize_t count = process_vm_readv(pid, &here, 1, &there, 1, 0);
      if (count <= 0) break;
      size += count;
    }
    int length = 0;
    while (length < size && text[length] >= ' ' && text[length] <= '~') ++length;
    if (length > 1) fprintf(out, "\t%.*s", length, text);
  }
}

static void at_entry(struct process* process, const struct __ptrace_syscall_info* info) {
  const unsigned long long call = info->entry.nr;
  if (!process->is_runtime || call >= kMostCalls) return;
  const unsigned nth = ++process->count[call];
  process->fails = number_of(process) == fault_process && (int)call == fault_call && (int)nth == fault_nth;
  if (fault_process >= 0 && !process->fails) return;
  fprintf(out, "%s\t%d\t%llu\t%u", process->fails ? "injected" : "call", number_of(process), call, nth);
  describe(process->pid, (const unsigned long long*)info->entry.args);
  if (call == SYS_landlock_add_rule) describe_rule(process->pid, info->entry.args[2]);
  fputc('\n', out);
}

static void change(struct process* process, long call, long result) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, process->pid, 0, &registers) != 0) return;
  if (call != 0) registers.orig_rax = (unsigned long long)call;
  registers.rax = (unsigned long long)result;
  ptrace(PTRACE_SETREGS, process->pid, 0, &registers);
}

static void at_call(struct process* process) {
  struct __ptrace_syscall_info info = {0};
  if (ptrace(PTRACE_GET_SYSCALL_INFO, process->pid, sizeof info, &info) <= 0) return;
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
    at_entry(process, &info);
    if (process->fails) change(process, -1, -ENOSYS);
  } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && process->fails) {
    process->fails = 0;
    change(process, 0, -fault_errno);
  }
}

// 1: it is let go.
static int at_exec(struct process* process) {
  const int was = process->is_runtime;
  process->is_runtime = executes_runtime(process->pid);
  if (!was || process->is_runtime) return 0;
  fprintf(out, "exec\t%d\n", number_of(process));
  ptrace(PTRACE_DETACH, process->pid, 0, 0);
  return 1;
}

static void at_stop(struct process* process, int status) {
  const int event = status >> 16;
  int signal = WSTOPSIG(status);
  if (signal == (SIGTRAP | 0x80)) {
    at_call(process);
    signal = 0;
  } else if (event == PTRACE_EVENT_EXEC) {
    if (at_exec(process)) {
      process->pid = 0;
      --left;
      return;
    }
    signal = 0;
  } else if (event != 0) {
    unsigned long child = 0;
    ptrace(PTRACE_GETEVENTMSG, process->pid, 0, &child);
    add((pid_t)child)->is_runtime = process->is_runtime;
    signal = 0;
  } else if (!process->started && signal == SIGSTOP) {
    // It may be here before its parent's event is.
    process->started = 1;
    process->is_runtime = executes_runtime(process->pid);
    signal = 0;
  }
  ptrace(PTRACE_SYSCALL, process->pid, 0, signal);
}

static int follow(pid_t first) {
  int status = 0, code = 0;
  while (left > 0) {
    const pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0 && errno == ECHILD) break;  // one was let go while it ended
    if (pid < 0) give_up("waitpid");
    struct process* process = add(pid);
    if (WIFSTOPPED(status)) {
      at_stop(process, status);
      continue;
    }
    if (WIFSIGNALED(status)) fprintf(out, "died\t%d\t%d\n", number_of(process), WTERMSIG(status));
    if (pid == first) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    process->pid = 0;
    --left;
  }
  return code;
}

int main(int argc, char** argv) {
  struct stat runtime;
  int at = 3;
  if (argc < 5 || stat(argv[2], &runtime) != 0) give_up("fault");
  if (strcmp(argv[at], "--") != 0 && argc > 8) {
    fault_process = atoi(argv[3]);
    fault_call = atoi(argv[4]);
    fault_nth = atoi(argv[5]);
    fault_errno = atoi(argv[6]);
    at = 7;
  }
  runtime_size = runtime.st_size;
  out = fopen(argv[1], "we");
  if (out == NULL || strcmp(argv[at], "--") != 0) give_up(argv[1]);
  const pid_t first = fork();
  if (first == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execvp(argv[at + 1], argv + at + 1);
    _exit(127);
  }
  waitpid(first, NULL, 0);
  add(first)->started = 1;
  ptrace(PTRACE_SETOPTIONS, first, 0,
         PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC);
  ptrace(PTRACE_SYSCALL, first, 0, 0);
  const int code = follow(first);
  return fclose(out) == 0 ? code : 125;
}
