// One technique: gives a number of zero or more when it got through, else -1 with errno.
#pragma once

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct attack {
  const char* name;
  long (*run)(void);
};
#define ATTACK(name) \
  { #name, a_##name }

static inline long refused(int reason) {
  errno = reason;
  return -1;
}

static inline long write_to(const char* path, const char* text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  return fd < 0 ? -1 : write(fd, text, strlen(text));
}

// Gives something only when the file has content: an empty mask over it is a refusal.
static inline long read_from(const char* path) {
  char byte;
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  const long got = read(fd, &byte, 1);
  return got > 0 ? got : got == 0 ? refused(ENODATA) : -1;
}

// A sibling that waits to be attacked.
static inline pid_t victim(void) {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  return child;
}
