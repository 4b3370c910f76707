// touched FUNCTIONS OUT COMMAND [ARG...] [:: COMMAND [ARG...]]...: runs the commands one after the other and writes the
// functions that they called, in the order of their first call, into OUT. FUNCTIONS has a line "address name" each, as
// `nm` prints them for the one program that all commands start. A breakpoint stands on each function until it is
// called. Children are followed, also beyond the command that made them; what executes another program is let go.
// Ends with the status of the first command that fails.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kBreakpoint = 0xCC };

struct function {
  unsigned long address;
  char* name;
  unsigned char byte;  // that the breakpoint stands for
  int called;
};

static struct function* functions;
static size_t count;
static unsigned long base;

static void stop(const char* what) {
  fprintf(stderr, "touched: %s: %s\n", what, strerror(errno));
  exit(125);
}

static int by_address(const void* a, const void* b) {
  const unsigned long first = ((const struct function*)a)->address;
  const unsigned long second = ((const struct function*)b)->address;
  return first < second ? -1 : first > second;
}

static void read_functions(const char* path) {
  char name[8192];
  unsigned long address;
  FILE* file = fopen(path, "r");
  if (file == NULL) stop(path);
  while (fscanf(file, "%lx %8191s", &address, name) == 2) {
    functions = realloc(functions, (count + 1) * sizeof *functions);
    if (functions == NULL) stop("realloc");
    functions[count++] = (struct function){address, strdup(name), 0, 0};
  }
  fclose(file);
  qsort(functions, count, sizeof *functions, by_address);
}

// Where the program was loaded: the first line of its map.
static unsigned long load_address(pid_t pid) {
  char path[64];
  unsigned long address = 0;
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  FILE* file = fopen(path, "r");
  if (file == NULL || fscanf(file, "%lx", &address) != 1) stop(path);
  fclose(file);
  return address;
}

// All of the text at once: as calls of ptrace this would be twenty thousand.
static void place_breakpoints(pid_t pid) {
  char path[64];
  const unsigned long begin = functions[0].address;
  const size_t size = functions[count - 1].address - begin + 1;
  unsigned char* text = malloc(size);
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  const int memory = open(path, O_RDWR | O_CLOEXEC);
  if (text == NULL || memory < 0) stop(path);
  if (pread(memory, text, size, (off_t)(base + begin)) != (ssize_t)size) stop("read the text");
  for (size_t i = 0; i < count; ++i) functions[i].byte = text[functions[i].address - begin];
  for (size_t i = 0; i < count; ++i) text[functions[i].address - begin] = kBreakpoint;
  if (pwrite(memory, text, size, (off_t)(base + begin)) != (ssize_t)size) stop("write the text");
  close(memory);
  free(text);
}

// 0: no breakpoint of ours.
static int pass_breakpoint(pid_t pid, FILE* out) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, pid, 0, &registers) != 0) return 0;
  const struct function wanted = {registers.rip - 1 - base, NULL, 0, 0};
  struct function* found = bsearch(&wanted, functions, count, sizeof wanted, by_address);
  if (found == NULL) return 0;
  // One address may have several names: the first of them.
  while (found > functions && found[-1].address == found->address) --found;
  for (struct function* one = found; one < functions + count && one->address == found->address; ++one) {
    if (!one->called) fprintf(out, "%s\n", one->name);
    one->called = 1;
  }
  registers.rip -= 1;
  errno = 0;
  const unsigned long at = registers.rip;
  const unsigned long word = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, at, 0);
  if (errno != 0) stop("read a breakpoint");
  if (ptrace(PTRACE_POKETEXT, pid, at, (word & ~0xFFUL) | found->byte) != 0) stop("take a breakpoint away");
  if (ptrace(PTRACE_SETREGS, pid, 0, &registers) != 0) stop("step back");
  return 1;
}

// What the stopped process is to be continued with; -1: it is let go.
static int answer(pid_t pid, pid_t first, int status, FILE* out) {
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  if (event == PTRACE_EVENT_EXEC) return pid == first ? 0 : -1;
  if (event != 0) return 0;
  // New children begin with a stop.
  if (signal == SIGSTOP) return 0;
  return signal == SIGTRAP && pass_breakpoint(pid, out) ? 0 : signal;
}

static int follow(pid_t first, FILE* out) {
  int status = 0;
  for (;;) {
    const pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0) stop("wait");
    if (!WIFSTOPPED(status)) {
      if (pid == first) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      continue;
    }
    const int signal = answer(pid, first, status, out);
    // It may be killed meanwhile: its end is told by the next wait.
    if (signal < 0) {
      ptrace(PTRACE_DETACH, pid, 0, 0);
    } else {
      ptrace(PTRACE_CONT, pid, 0, signal);
    }
  }
}

static int run(char** argv, FILE* out) {
  const long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  int status = 0;
  const pid_t pid = fork();
  if (pid < 0) stop("fork");
  if (pid == 0) {
    // At one address in all commands: children of an earlier one go on.
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execv(argv[0], argv);
    _exit(127);
  }
  if (waitpid(pid, &status, 0) != pid || ptrace(PTRACE_SETOPTIONS, pid, 0, options) != 0) stop("trace");
  if (ptrace(PTRACE_CONT, pid, 0, 0) != 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) stop(argv[0]);
  base = load_address(pid);
  place_breakpoints(pid);
  if (ptrace(PTRACE_CONT, pid, 0, 0) != 0) stop("continue");
  return follow(pid, out);
}

int main(int argc, char** argv) {
  int status = 0;
  if (argc < 4) return 125;
  read_functions(argv[1]);
  FILE* out = fopen(argv[2], "we");
  if (out == NULL || count == 0) stop(argv[2]);
  for (char** command = argv + 3; *command != NULL && status == 0;) {
    char** end = command;
    while (*end != NULL && strcmp(*end, "::") != 0) ++end;
    char** const next = *end == NULL ? end : end + 1;
    *end = NULL;
    status = run(command, out);
    command = next;
  }
  return fclose(out) == 0 ? status : 125;
}
