// Kills for want of memory: as a counter and as events.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/text.h"
#include "runtime/cgroup/write_values.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

constexpr const char* kEvents = "/memory.events";
constexpr const char* kControl = "/memory.oom_control";

Result<std::uint64_t> kills_in(const std::string& path) {
  const auto text = TRY(read_file(path));
  for (const auto& [key, value] : key_values(text)) {
    if (key == "oom_kill") return value;
  }
  return std::uint64_t{0};  // v1 before 4.13 does not count
}

Error no_memory_controller() {
  return make_error(ErrorKind::kUnsupported,
                    "OOM events: the container has no cgroup with the memory controller");
}

bool is_gone(const Error& error) {
  return error.errno_value == ENOENT || error.errno_value == ENODEV;
}

}  // namespace

Result<bool> Cgroup::has_oom_killed() const {
  const auto* memory = placement("memory");
  if (memory == nullptr) return false;
  auto kills = kills_in(memory->directory + (memory->controllers.empty() ? kEvents : kControl));
  if (kills.ok()) return *kills > 0;
  if (is_gone(kills.error())) return false;
  return kills.release_error();
}

Result<OomWatch> OomWatch::start(const Record& record) {
  const auto* memory = placement_of(record.placements, "memory");
  if (memory == nullptr) return no_memory_controller();
  OomWatch watch;
  if (memory->controllers.empty()) {
    watch.directory_ = memory->directory;
    watch.fd_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (!watch.fd_.valid()) return system_error("inotify_init1");
    // cgroup.events changes when the last process leaves: then no more kills can come.
    for (const char* file : {kEvents, "/cgroup.events"}) {
      const std::string path = memory->directory + file;
      if (::inotify_add_watch(watch.fd_.get(), path.c_str(), IN_MODIFY) < 0) {
        return system_error("inotify_add_watch " + path);
      }
    }
    watch.seen_ = TRY(kills_in(memory->directory + kEvents));
    return watch;
  }
  watch.control_ = memory->directory + kControl;
  watch.fd_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!watch.fd_.valid()) return system_error("eventfd");
  const auto control = TRY(open_file(watch.control_, O_RDONLY));
  TRY(write_file(memory->directory + "/cgroup.event_control",
                 std::to_string(watch.fd_.get()) + " " + std::to_string(control.get())));
  return watch;
}

Result<std::optional<std::uint64_t>> OomWatch::take() {
  std::array<char, 4096> buffer{};
  const bool v1 = !control_.empty();
  const ssize_t count = ::read(fd_.get(), buffer.data(), buffer.size());
  if (count < 0 && errno != EAGAIN && errno != EINTR) return system_error("read OOM events");
  if (v1) {
    // The kernel signals the removal of the cgroup through the same descriptor.
    if (::access(control_.c_str(), F_OK) != 0) return std::optional<std::uint64_t>();
    if (count < 0) return std::optional<std::uint64_t>(0);
    std::uint64_t events = 0;
    std::copy_n(buffer.data(), sizeof(events), reinterpret_cast<char*>(&events));
    return std::optional(events);
  }
  auto kills = kills_in(directory_ + kEvents);
  if (!kills.ok()) {
    if (is_gone(kills.error())) return std::optional<std::uint64_t>();
    return kills.release_error();
  }
  const std::uint64_t fresh = *kills - seen_;
  seen_ = *kills;
  if (fresh > 0) return std::optional(fresh);
  const auto events = read_file(directory_ + "/cgroup.events");
  if (!events.ok() || events->find("populated 0") != std::string::npos) {
    return std::optional<std::uint64_t>();
  }
  return std::optional<std::uint64_t>(0);
}

}  // namespace langsbx::cgroup
