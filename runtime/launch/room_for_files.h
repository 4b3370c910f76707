// RLIMIT_NOFILE while init is made: each source of a mount that is opened for it is a descriptor,
// of the runtime's and then of init's.
#pragma once

#include <sys/resource.h>

#include <optional>

#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// The fewest with which a process can be sent the files of its cgroups.
inline constexpr rlim_t kEnoughFiles = 64;

class RoomForFiles {
 public:
  RoomForFiles() = default;
  RoomForFiles(const RoomForFiles&) = delete;
  RoomForFiles& operator=(const RoomForFiles&) = delete;
  ~RoomForFiles() { restore(); }

  // For the sources of this plan, and for what else there is to open.
  Result<void> make(const plan::LaunchPlan& plan);
  void restore();
  // What init has until its mounts are there; absent: what the plan says, from the beginning.
  [[nodiscard]] std::optional<rlimit> meanwhile() const;
  // What init gives itself then.
  [[nodiscard]] std::optional<rlimit> for_init() const;

 private:
  rlimit own_{};
  rlimit meanwhile_{};
  rlimit for_init_{};
  bool raised_ = false;
  bool known_ = false;
};

}  // namespace langsbx::runtime
