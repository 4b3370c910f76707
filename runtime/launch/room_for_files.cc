// Counting the sources, raising the limit and putting it back.
#include "runtime/launch/room_for_files.h"

#include <algorithm>

namespace langsbx::runtime {
namespace {

std::size_t sources_to_open(const plan::LaunchPlan& launch) {
  const bool user_namespace = launch.namespaces.new_user || launch.namespaces.join_user;
  std::size_t count = user_namespace ? launch.rootfs.devices.size() : 0;
  for (const auto& step : launch.rootfs.mounts) {
    const bool mapped = step.options.idmap != plan::IdMap::kNone;
    if (step.options.bind && user_namespace) ++count;
    if (mapped) count += user_namespace ? 1 : 2;
  }
  return count;
}

}  // namespace

Result<void> RoomForFiles::make(const plan::LaunchPlan& plan) {
  const auto sources = sources_to_open(plan);
  const rlimit* const wanted = confine::open_files_of(plan.program.rlimits);
  if (sources == 0 && wanted == nullptr) return {};
  if (::getrlimit(RLIMIT_NOFILE, &own_) != 0) return system_error("getrlimit RLIMIT_NOFILE");
  meanwhile_ = own_;
  const rlim_t needed = sources + kEnoughFiles;
  if (meanwhile_.rlim_cur < needed) {
    meanwhile_.rlim_cur = std::min(needed, own_.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &meanwhile_) != 0)
      return system_error("setrlimit RLIMIT_NOFILE");
    raised_ = true;
  }
  for_init_ = wanted != nullptr ? *wanted : own_;
  known_ = wanted != nullptr || raised_;
  return {};
}

void RoomForFiles::restore() {
  if (raised_) ::setrlimit(RLIMIT_NOFILE, &own_);
  raised_ = false;
}

std::optional<rlimit> RoomForFiles::meanwhile() const {
  return known_ ? std::optional<rlimit>(meanwhile_) : std::nullopt;
}

std::optional<rlimit> RoomForFiles::for_init() const {
  return known_ ? std::optional<rlimit>(for_init_) : std::nullopt;
}

}  // namespace langsbx::runtime
