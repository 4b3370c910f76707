// Opens the directory of all hierarchies, and gives places below it.
#include "runtime/cgroup/root.h"

#include <fcntl.h>

#include <string_view>
#include <utility>

#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

constexpr std::string_view kRoot = "/sys/fs/cgroup/";

}  // namespace

Root::Place Root::place(const std::string& path) {
  if (!path.starts_with(kRoot) || path.size() == kRoot.size()) return {AT_FDCWD, path.c_str()};
  if (!std::exchange(tried_, true)) {
    // Without it the way is longer and nothing else: too few descriptors are no failure.
    auto opened = open_file("/sys/fs/cgroup", O_PATH | O_DIRECTORY);
    if (opened.ok()) directory_ = opened.release_value();
  }
  if (!directory_.valid()) return {AT_FDCWD, path.c_str()};
  return {directory_.get(), path.c_str() + kRoot.size()};
}

Result<UniqueFd> Root::open(const std::string& path, int flags) {
  const auto [directory, name] = place(path);
  auto file = open_at(directory, name, flags);
  if (!file.ok()) return system_error("open " + path, file.error().errno_value);
  return file;
}

UniqueFd Root::take() {
  tried_ = false;
  return std::move(directory_);
}

}  // namespace langsbx::cgroup
