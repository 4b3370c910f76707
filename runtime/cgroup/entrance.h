// How a fresh process gets into version 1 hierarchies without delay.
//
// Who moves another process makes the kernel wait until every processor has noticed (an RCU grace
// period, 5 to 20 ms). A process of one thread that moves itself through `tasks` needs no such
// wait. The files are opened by the runtime, since the kernel asks whether their opener may.
#pragma once

#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/used_files.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cgroup {

struct Entrance {
  Entrance() = default;
  Entrance(Entrance&& other) noexcept = default;
  Entrance& operator=(Entrance&& other) noexcept = default;
  Entrance(const Entrance&) = delete;
  Entrance& operator=(const Entrance&) = delete;
  ~Entrance() { close(); }
  void close();

  // None where a process has to be moved: version 2, and what systemd makes.
  std::vector<UniqueFd> tasks;
  // What the cgroups were made and limited with is closed along with them.
  UsedFiles used;
};
// Whether there is such a way into this one; without, a process has to be moved.
bool has_entrance(const Cgroup& group);
// Empty where has_entrance() is false, or where the files can't be opened.
Entrance open_entrance(Cgroup& group);
// In the process itself. False: it is not in all of them, and has to be moved.
bool enter(std::vector<UniqueFd> entrance);

}  // namespace langsbx::cgroup
