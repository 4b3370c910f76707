// The seccomp system call.
#include "runtime/kernel/seccomp.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace langsbx {

bool seccomp_action_available(std::uint32_t action) {
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0U, &action) == 0;
}

bool seccomp_flag_available(std::uint32_t flag) {
  // WAIT_KILLABLE_RECV, newer than the distribution's header: EINVAL without a listener.
  constexpr std::uint32_t kNeedListener = 1U << 5U;
  if ((flag & kNeedListener) != 0) flag |= SECCOMP_FILTER_FLAG_NEW_LISTENER;
  // A known flag gets as far as reading the program at address 0.
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flag, nullptr) == -1 && errno == EFAULT;
}

int seccomp_set_filter(std::span<const sock_filter> program, std::uint32_t flags) {
  sock_fprog description{};
  description.len = static_cast<unsigned short>(program.size());
  description.filter = const_cast<sock_filter*>(program.data());  // NOLINT: the kernel reads only
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &description));
}

}  // namespace langsbx
