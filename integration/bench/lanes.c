// lanes COUNT NAME COMMAND [ARG...] [:: COMMAND [ARG...]]...: runs each command COUNT times, one after the other, all
// of them side by side, and prints the microseconds from the first start to the last end. Each gets one argument more:
// NAME with a number that no other has. Ends with 1 when one of them fails.
// No shell between: what it takes to fork for each run would count for everybody's.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kMostLanes = 64, kMostWords = 64 };

static struct lane {
  char* words[kMostWords + 2];
  int count;  // of words
  int left;   // runs
  pid_t pid;
} lanes[kMostLanes];

static long long now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int start(struct lane* lane, const char* name, int number) {
  static char text[256];
  snprintf(text, sizeof text, "%s%d", name, number);
  lane->words[lane->count] = text;
  lane->left--;
  lane->pid = vfork();
  if (lane->pid == 0) {
    execv(lane->words[0], lane->words);
    _exit(127);
  }
  return lane->pid > 0 ? 0 : -1;
}

static int read_lanes(int argc, char** argv, int runs) {
  int count = 0;
  for (int at = 3; at < argc; ++at) {
    if (strcmp(argv[at], "::") == 0) {
      if (++count == kMostLanes) return -1;
      continue;
    }
    struct lane* lane = &lanes[count];
    if (lane->count == kMostWords) return -1;
    lane->words[lane->count++] = argv[at];
    lane->left = runs;
  }
  return count + 1;
}

int main(int argc, char** argv) {
  const int count = argc < 4 ? -1 : read_lanes(argc, argv, atoi(argv[1]));
  if (count < 0) return 2;
  const int quiet = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(quiet, 0);
  dup2(quiet, 2);
  int number = 0, failures = 0, running = 0;
  const long long begin = now_ns();
  for (int i = 0; i < count; ++i) {
    if (start(&lanes[i], argv[2], number++) != 0) return 1;
    running++;
  }
  while (running > 0) {
    int status = 0;
    const pid_t pid = wait(&status);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) return 1;
    for (int i = 0; i < count; ++i) {
      if (lanes[i].pid != pid) continue;
      failures += status != 0;
      running--;
      if (lanes[i].left == 0 || failures > 0) break;
      if (start(&lanes[i], argv[2], number++) != 0) return 1;
      running++;
      break;
    }
  }
  printf("%lld\n", (now_ns() - begin) / 1000);
  return failures > 0;
}
