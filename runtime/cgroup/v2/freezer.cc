// v2: cgroup.freeze asks, "frozen 1" in cgroup.events answers.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "runtime/cgroup/freezer.h"
#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup::v2 {
namespace {

constexpr std::chrono::seconds kPatience{10};

bool is_gone(const Error& error) {
  return error.errno_value == ENOENT || error.errno_value == ENODEV;
}

Result<bool> says_frozen(int events) {
  if (::lseek(events, 0, SEEK_SET) != 0) return system_error("lseek cgroup.events");
  const auto text = TRY(read_fd(events, 4096, "cgroup.events"));
  for (const auto& [key, value] : key_values(text)) {
    if (key == "frozen") return value == 1;
  }
  return false;
}

}  // namespace

Result<void> freeze(const std::string& directory) {
  TRY(write_file(directory + "/cgroup.freeze", "1"));
  const auto events = TRY(open_file(directory + "/cgroup.events", O_RDONLY));
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!TRY(says_frozen(events.get()))) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      TRY(thaw(directory));
      return make_error(ErrorKind::kTimeout, "unable to freeze " + directory);
    }
    pollfd waiting{.fd = events.get(), .events = POLLPRI, .revents = 0};
    ::poll(&waiting, 1, static_cast<int>(left.count()));
  }
  return {};
}

Result<void> thaw(const std::string& directory) {
  auto written = write_file(directory + "/cgroup.freeze", "0");
  if (!written.ok() && is_gone(written.error())) return {};
  return written;
}

Result<bool> is_frozen(const std::string& directory) {
  auto text = read_file(directory + "/cgroup.freeze");
  if (!text.ok()) {
    if (is_gone(text.error())) return false;
    return text.release_error();
  }
  return trim(*text) == "1";
}

}  // namespace langsbx::cgroup::v2
