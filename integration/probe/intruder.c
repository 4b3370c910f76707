// A process of the container that waits for one of the runtime's to appear beside it.
//   intruder hold FOLDER   takes hold of a foreign /proc/PID/exe ("held"), waits for "go", then writes through it; "result" says how
//                          it went
//   intruder trace FOLDER  seizes each new process at once; those that still run a foreign binary are counted in "caught"
// FOLDER has to be shared with the test. "stop" in it ends both.
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* folder;

static int is_there(const char* name) {
  char path[PATH_MAX];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

// Appears whole: whoever waits for the file may read it at once.
static void say(const char* name, const char* text) {
  char path[PATH_MAX], begun[PATH_MAX];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  snprintf(begun, sizeof(begun), "%s/.%s", folder, name);
  const int fd = open(begun, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || write(fd, text, strlen(text)) < 0 || close(fd) != 0 || rename(begun, path) != 0) perror(path);
}

static int is_same(const struct stat* left, const struct stat* right) {
  return left->st_ino == right->st_ino && left->st_dev == right->st_dev;
}

// What belongs to the container: this program and its busybox.
static int is_foreign(const char* exe) {
  struct stat found, own;
  if (stat(exe, &found) != 0) return 0;
  if (stat("/proc/self/exe", &own) == 0 && is_same(&found, &own)) return 0;
  return stat("/bin/busybox", &own) != 0 || !is_same(&found, &own);
}

static int find_foreign(void) {
  DIR* proc = opendir("/proc");
  int fd = -1;
  if (proc == NULL) return -1;
  for (struct dirent* entry; fd < 0 && (entry = readdir(proc)) != NULL;) {
    char path[PATH_MAX];
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    snprintf(path, sizeof(path), "/proc/%s/exe", entry->d_name);
    if (is_foreign(path)) fd = open(path, O_RDONLY | O_CLOEXEC);
  }
  closedir(proc);
  return fd;
}

static int hold(void) {
  int fd = -1;
  while ((fd = find_foreign()) < 0) {
    if (is_there("stop")) return 0;
    usleep(200);
  }
  say("held", "yes\n");
  while (!is_there("go")) usleep(1000);
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
  int again = -1;
  // While a process executes it the file is busy.
  for (int i = 0; i < 2000 && (again = open(path, O_WRONLY | O_APPEND)) < 0 && errno == ETXTBSY; ++i) usleep(1000);
  if (again >= 0 && write(again, "overwritten", 11) == 11)
    say("result", "overwritten\n");
  else
    say("result", strerror(errno));
  return 0;
}

static int trace(void) {
  unsigned long caught = 0, missed = 0;
  int seen = 0;
  pid_t next = getpid() + 1;
  say("ready", "yes\n");
  while (!is_there("stop")) {
    for (int spin = 0; spin < 20000; ++spin) {
      if (ptrace(PTRACE_SEIZE, next, NULL, NULL) == 0) {
        char path[64];
        snprintf(path, sizeof(path), "/proc/%d/exe", next);
        if (is_foreign(path)) ++caught;
        ptrace(PTRACE_INTERRUPT, next, NULL, NULL);
        waitpid(next, NULL, __WALL);
        ptrace(PTRACE_DETACH, next, NULL, NULL);
        ++next;
        seen = 0;
      } else if (errno == EPERM) {
        // Again and again: it has more capabilities than we at first, and no more than we later.
        if (!seen) ++missed;
        seen = 1;
      } else if (seen || kill(next + 1, 0) == 0) {
        ++next;
        seen = 0;
      }
    }
  }
  char text[64];
  snprintf(text, sizeof(text), "%lu %lu\n", caught, missed);
  say("caught", text);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  folder = argv[2];
  signal(SIGCHLD, SIG_DFL);
  return strcmp(argv[1], "hold") == 0 ? hold() : trace();
}
