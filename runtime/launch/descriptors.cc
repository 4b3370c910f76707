// Passing descriptors on.
#include "runtime/launch/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "runtime/kernel/process.h"

namespace langsbx::runtime {
namespace {

constexpr int kFirst = 3;

// sd_listen_fds(3): they are meant for the process that LISTEN_PID names. crun does not ask.
bool are_for_us() {
  const char* const pid = ::getenv("LISTEN_PID");
  return pid != nullptr && pid == std::to_string(::getpid());
}

Result<int> count_listen_fds(bool acts_as_crun) {
  const char* const text = ::getenv("LISTEN_FDS");
  if (text == nullptr || *text == '\0') return 0;
  if (!acts_as_crun && !are_for_us()) return 0;
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

Result<std::vector<int>> take_descriptors(int preserve_fds, bool acts_as_crun) {
  const int total = TRY(count_listen_fds(acts_as_crun)) + preserve_fds;
  std::vector<int> taken;
  for (int fd = kFirst; fd < kFirst + total; ++fd) {
    if (is_callers(fd)) {
      taken.push_back(fd);
    } else if (!acts_as_crun) {
      return make_error(ErrorKind::kInvalidInput,
                        "--preserve-fds: file descriptor " + std::to_string(fd) + " is not open");
    }
  }
  TRY(close_on_exec_from(kFirst));
  return taken;
}

Result<std::vector<int>> leaked_descriptors(int preserve_fds, bool acts_as_crun) {
  const int first = kFirst + TRY(count_listen_fds(acts_as_crun)) + preserve_fds;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir("/proc/self/fd"), ::closedir);
  if (listing == nullptr) return system_error("opendir /proc/self/fd");
  std::vector<int> leaked;
  while (const dirent* const entry = ::readdir(listing.get())) {
    // What is close-on-exec is ours, the listing among it.
    const auto fd = static_cast<int>(std::strtol(entry->d_name, nullptr, 10));
    if (fd >= first && is_callers(fd)) leaked.push_back(fd);
  }
  return leaked;
}

Result<void> add_listen_variables(std::vector<std::string>& env, bool acts_as_crun) {
  const int listen_fds = TRY(count_listen_fds(acts_as_crun));
  if (listen_fds == 0) return {};
  env.push_back("LISTEN_FDS=" + std::to_string(listen_fds));
  env.emplace_back("LISTEN_PID=1");
  if (const char* names = ::getenv("LISTEN_FDNAMES"); names != nullptr) {
    env.push_back(std::string("LISTEN_FDNAMES=") + names);
  }
  return {};
}

}  // namespace langsbx::runtime
