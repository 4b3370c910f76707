// How a fresh process gets into version 1 hierarchies without delay.
//
// Who moves another process makes the kernel wait until every processor has noticed (an RCU grace
// period, 5 to 20 ms). A process of one thread that moves itself through `tasks` needs no such
// wait.
#pragma once

#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cgroup {

class Entrance {
 public:
  // In the parent, before the clone. Nothing is opened where a process has to be moved: version 2,
  // and what systemd makes.
  static Result<Entrance> open(const Cgroup& group);
  // In the child, first thing. Says nothing: what did not work is done by the parent.
  void enter();
  // In the parent: waits for that, and tells whether the child is in all of them.
  bool entered();

 private:
  std::vector<UniqueFd> tasks_;
  UniqueFd said_, heard_;
};

}  // namespace langsbx::cgroup
