// The descendants of a process as /proc shows them: counted and ended where no cgroup does it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace langsbx::execute {

struct TreeUse {
  std::uint64_t tasks = 0;   // processes and threads
  std::uint64_t memory = 0;  // resident, what processes share counted for each
  std::uint64_t user_ns = 0;
  std::uint64_t system_ns = 0;  // both with the children that were waited for
};

// All descendants of `pid`, itself not among them. A process that ends meanwhile is left out.
std::vector<pid_t> descendants(pid_t pid);
TreeUse tree_use(pid_t pid);
// Resident, what processes share divided among them: exact, and dearer to ask.
std::uint64_t tree_share(pid_t pid);
// SIGKILL to all descendants of this process, which has to be their reaper
// (PR_SET_CHILD_SUBREAPER), until none is left. A descendant's child that outlives it comes to us,
// so the loop sees it.
void kill_descendants();

}  // namespace langsbx::execute
