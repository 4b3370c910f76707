// syscall(2) itself.
#include "runtime/kernel/bare_calls.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace langsbx {

void sleep_barely(const timespec& time) { ::syscall(SYS_nanosleep, &time, nullptr); }

void end_thread() {
  for (;;) ::syscall(SYS_exit, 0);
}

int errno_of_call(long number) { return ::syscall(number, -1, 0, 0, 0, 0, 0) == -1 ? errno : 0; }

}  // namespace langsbx
