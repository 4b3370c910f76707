// Passing descriptors on.
#include "runtime/descriptors.h"

#include <fcntl.h>

#include <cstdlib>

#include "runtime/kernel/process.h"

namespace langsbx::runtime {
namespace {

Result<int> count_listen_fds() {
  const char* const text = ::getenv("LISTEN_FDS");
  if (text == nullptr || *text == '\0') return 0;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end != '\0' || value < 0 || value > 1000) {
    return make_error(ErrorKind::kInvalidInput, std::string("LISTEN_FDS: not a count: ") + text);
  }
  return static_cast<int>(value);
}

bool is_callers(int fd) {
  const int flags = ::fcntl(fd, F_GETFD);
  return flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

}  // namespace

Result<std::vector<int>> take_descriptors(int preserve_fds, bool holes_allowed) {
  constexpr int kFirst = 3;
  const int total = TRY(count_listen_fds()) + preserve_fds;
  std::vector<int> taken;
  for (int fd = kFirst; fd < kFirst + total; ++fd) {
    if (is_callers(fd)) {
      taken.push_back(fd);
    } else if (!holes_allowed) {
      return make_error(ErrorKind::kInvalidInput,
                        "--preserve-fds: file descriptor " + std::to_string(fd) + " is not open");
    }
  }
  TRY(close_on_exec_from(kFirst));
  return taken;
}

Result<void> add_listen_variables(std::vector<std::string>& env) {
  const int listen_fds = TRY(count_listen_fds());
  if (listen_fds == 0) return {};
  env.push_back("LISTEN_FDS=" + std::to_string(listen_fds));
  env.emplace_back("LISTEN_PID=1");
  if (const char* names = ::getenv("LISTEN_FDNAMES"); names != nullptr) {
    env.push_back(std::string("LISTEN_FDNAMES=") + names);
  }
  return {};
}

}  // namespace langsbx::runtime
