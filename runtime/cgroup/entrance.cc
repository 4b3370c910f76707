// Opening, entering, telling.
#include "runtime/cgroup/entrance.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/kernel/file.h"

namespace langsbx::cgroup {

Result<Entrance> Entrance::open(const Cgroup& group) {
  Entrance made;
  const auto& record = group.record();
  const bool moved = std::any_of(record.placements.begin(), record.placements.end(),
                                 [](const Placement& place) { return place.controllers.empty(); });
  if (record.placements.empty() || moved || !record.unit.empty()) return made;
  for (const auto& place : record.placements) {
    auto file = open_file(place.directory + "/tasks", O_WRONLY);
    if (!file.ok()) return Entrance();  // the parent's way tells why, if it does not work either
    made.tasks_.push_back(file.release_value());
  }
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return system_error("pipe2");
  made.heard_.reset(fds[0]);
  made.said_.reset(fds[1]);
  return made;
}

void Entrance::enter() {
  if (tasks_.empty()) return;
  heard_.reset();
  const bool all = std::all_of(tasks_.begin(), tasks_.end(), [](const UniqueFd& file) {
    return ::write(file.get(), "0", 1) == 1;
  });
  tasks_.clear();
  const bool told = all && ::write(said_.get(), "0", 1) == 1;
  static_cast<void>(told);  // else the parent hears the end of the pipe
  said_.reset();
}

bool Entrance::entered() {
  said_.reset();
  tasks_.clear();
  if (!heard_.valid()) return false;
  char byte = 0;
  ssize_t count = 0;
  do {
    count = ::read(heard_.get(), &byte, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1;
}

}  // namespace langsbx::cgroup
