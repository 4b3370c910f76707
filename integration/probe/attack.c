// attack [NAME]: known ways of escaping from a container or of rising in it, one after the other, each in a child.
// "wait" only lives, for what joins. Prints "NAME SUCCEEDED" or "NAME refused: why".
#include "attack.h"
#include "attack_files.h"
#include "attack_kernel.h"
#include "attack_mounts.h"
#include "attack_processes.h"

static const struct attack kAttacks[] = {MOUNT_ATTACKS, KERNEL_ATTACKS, FILE_ATTACKS, PROCESS_ATTACKS};

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "wait") == 0) return (int)sleep(1000);
  for (size_t i = 0; i < sizeof(kAttacks) / sizeof(kAttacks[0]); ++i) {
    if (argc > 1 && strcmp(argv[1], kAttacks[i].name) != 0) continue;
    // Each in a child: an attack may change the process, or be killed for trying.
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
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
