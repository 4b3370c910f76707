// What a pod's sandbox runs: waits for signals, reaps children.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_end(int number) { exit(number == SIGINT ? 1 : 0); }
static void on_child(int number) {
  (void)number;
  while (waitpid(-1, NULL, WNOHANG) > 0) {
  }
}

int main(void) {
  signal(SIGINT, on_end);
  signal(SIGTERM, on_end);
  signal(SIGCHLD, on_child);
  for (;;) pause();
}
