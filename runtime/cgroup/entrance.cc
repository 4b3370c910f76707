// Opening and entering.
#include "runtime/cgroup/entrance.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <utility>

#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::cgroup {

void Entrance::close() {
  auto all = used.take();
  all.reserve(all.size() + tasks.size());
  std::move(tasks.begin(), tasks.end(), std::back_inserter(all));
  tasks.clear();
  close_together(all);
}

bool has_entrance(const Cgroup& group) {
  const auto& record = group.record();
  const bool moved = std::any_of(record.placements.begin(), record.placements.end(),
                                 [](const Placement& place) { return place.controllers.empty(); });
  return !moved && record.unit.empty();
}

Entrance open_entrance(Cgroup& group) {
  Entrance entrance;
  entrance.used = group.take_used_files();
  const auto& record = group.record();
  if (!has_entrance(group)) return entrance;
  entrance.tasks.reserve(record.placements.size());
  std::string path;
  for (const auto& place : record.placements) {
    path.assign(place.directory).append("/tasks");
    auto file = entrance.used.root().open(path, O_WRONLY);
    if (!file.ok() && file.error().errno_value == EMFILE) {
      entrance.used.close();
      file = open_file(path, O_WRONLY);
    }
    if (!file.ok()) {
      entrance.tasks.clear();  // moving tells why, if it does not work either
      return entrance;
    }
    entrance.tasks.push_back(file.release_value());
  }
  return entrance;
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
