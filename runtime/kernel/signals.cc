// rt_sigprocmask, rt_sigaction.
#include "runtime/kernel/signals.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace langsbx {

Result<void> unblock_all_signals() {
  const std::uint64_t none = 0;
  if (::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none) == 0) return {};
  return system_error("rt_sigprocmask");
}

Result<void> reset_signal(int signal) {
  struct KernelAction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
  };
  const KernelAction action{SIG_DFL, 0, nullptr, 0};
  if (::syscall(SYS_rt_sigaction, signal, &action, nullptr, sizeof action.mask) == 0) return {};
  return system_error("rt_sigaction for signal " + std::to_string(signal));
}

}  // namespace langsbx
