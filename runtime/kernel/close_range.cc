// close_range(2) between the descriptors that are kept; one by one before Linux 5.9.
#include "runtime/kernel/close_range.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace langsbx {
namespace {

Result<void> close_between(unsigned first, unsigned last) {
  if (first > last || ::syscall(SYS_close_range, first, last, 0U) == 0) return {};
  if (errno != ENOSYS) return system_error("close_range");
  const long most = ::sysconf(_SC_OPEN_MAX);
  const auto end = std::min(last, static_cast<unsigned>(std::max(most, 1L) - 1));
  for (unsigned fd = first; fd <= end; ++fd) ::close(static_cast<int>(fd));
  return {};
}

}  // namespace

Result<void> close_all_but(std::vector<int> kept, unsigned first) {
  std::sort(kept.begin(), kept.end());
  for (const int fd : kept) {
    const auto number = static_cast<unsigned>(fd);
    if (fd < 0 || number < first) continue;
    if (number > first) TRY(close_between(first, number - 1));
    first = number + 1;
  }
  return close_between(first, ~0U);
}

}  // namespace langsbx
