// The raw call, made again where the kernel asks for it.
#include "runtime/kernel/openat2.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace langsbx {

UniqueFd open_resolved(int directory, const char* path, int flags, std::uint64_t resolve,
                       mode_t mode) {
  constexpr int kMostAttempts = 128;
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  // openat2 refuses a mode without O_CREAT or O_TMPFILE.
  how.mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? mode : 0;
  how.resolve = resolve;
  for (int attempt = 0;; ++attempt) {
    const long fd = ::syscall(SYS_openat2, directory, path, &how, sizeof how);
    if (fd >= 0) return UniqueFd(static_cast<int>(fd));
    // EAGAIN: a rename or mount raced with ".." resolution; the kernel asks to try again.
    if (errno != EINTR && (errno != EAGAIN || attempt > kMostAttempts)) return {};
  }
}

}  // namespace langsbx
