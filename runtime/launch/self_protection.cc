// What closes the way to our binary, and to our processes that join.
#include "runtime/launch/self_protection.h"

#include <sys/prctl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string_view>

#include "runtime/kernel/own_binary.h"

namespace langsbx::runtime {
namespace {

bool is_closed_by(const confine::LandlockPlan& plan) {
  constexpr auto kNeeded = confine::fs::kExecute | confine::fs::kWriteFile | confine::fs::kTruncate;
  for (const auto& layer : plan.layers) {
    if ((layer.handled_fs & kNeeded) == kNeeded) return true;
  }
  return false;
}

// "/dev/fd/7" -> 7; -1 for any other path.
int descriptor_named_by(const std::string& file) {
  for (const std::string_view folder : {"/proc/self/fd/", "/dev/fd/"}) {
    if (file.starts_with(folder)) return std::atoi(file.c_str() + folder.size());
  }
  return -1;
}

}  // namespace

Result<void> protect_from_container(const Exposure& exposure) {
  if (!exposure.shares_pids && is_closed_by(*exposure.landlock)) return {};
  return protect_own_binary(exposure.preserved_fds);
}

Result<void> protect_before_reading(const std::string& file,
                                    const std::vector<int>& preserved_fds) {
  struct stat info {};
  if (file.empty() || ::stat(file.c_str(), &info) != 0 || S_ISREG(info.st_mode)) return {};
  return protect_own_binary(preserved_fds, descriptor_named_by(file));
}

UndumpableChildren::UndumpableChildren(bool wanted)
    : restore_(wanted && ::prctl(PR_GET_DUMPABLE) != 0) {
  if (restore_ && ::prctl(PR_SET_DUMPABLE, 0) != 0) failed_ = errno;
}

Result<void> UndumpableChildren::check() const {
  if (failed_ == 0) return {};
  return system_error("prctl PR_SET_DUMPABLE", failed_);
}

UndumpableChildren::~UndumpableChildren() {
  if (restore_) ::prctl(PR_SET_DUMPABLE, 1);
}

}  // namespace langsbx::runtime
