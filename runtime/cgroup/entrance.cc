// Opening and entering.
#include "runtime/cgroup/entrance.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::cgroup {

std::vector<UniqueFd> open_entrance(const Cgroup& group) {
  const auto& record = group.record();
  const bool moved = std::any_of(record.placements.begin(), record.placements.end(),
                                 [](const Placement& place) { return place.controllers.empty(); });
  std::vector<UniqueFd> tasks;
  if (moved || !record.unit.empty()) return tasks;
  tasks.reserve(record.placements.size());
  for (const auto& place : record.placements) {
    auto file = open_file(place.directory + "/tasks", O_WRONLY);
    if (!file.ok()) return {};  // moving tells why, if it does not work either
    tasks.push_back(file.release_value());
  }
  return tasks;
}

bool enter(std::vector<UniqueFd> entrance) {
  const bool all =
      !entrance.empty() && std::all_of(entrance.begin(), entrance.end(), [](const UniqueFd& file) {
        return ::write(file.get(), "0", 1) == 1;
      });
  close_together(entrance);
  return all;
}

}  // namespace langsbx::cgroup
