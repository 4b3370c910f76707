// A new v1 cpuset is empty and takes no process: CPUs and nodes are copied down from its parents.
#include "runtime/cgroup/v1/cpuset_inherit.h"

#include "runtime/cgroup/text.h"

namespace langsbx::cgroup::v1 {
namespace {

constexpr std::string_view kCpus = "cpuset.cpus";
constexpr std::string_view kMems = "cpuset.mems";

std::string path_of(std::string_view directory, std::string_view file) {
  std::string path;
  path.reserve(directory.size() + 1 + file.size());
  path.append(directory).append("/").append(file);
  return path;
}

// The value of `file` in `directory`, after filling it from above. What was just made is known to
// be empty.
Result<std::string> inherit(std::string_view mount_point, std::string_view directory,
                            std::string_view file, std::size_t new_levels, UsedFiles& used) {
  const std::string path = path_of(directory, file);
  std::string value;
  if (new_levels == 0) value = trim(TRY(used.read(path)));
  if (!value.empty() || directory.size() <= mount_point.size()) return value;
  value = TRY(inherit(mount_point, parent_path(directory), file,
                      new_levels > 0 ? new_levels - 1 : 0, used));
  TRY(used.write(path, value));
  return value;
}

}  // namespace

Result<void> inherit_cpuset(const std::string& mount_point, const std::string& directory,
                            std::size_t new_levels, UsedFiles& used) {
  // Below a parent that has its children inherit, the kernel has filled both files.
  if (new_levels == 1 && !trim(TRY(used.read(path_of(directory, kCpus)))).empty()) return {};
  TRY(inherit(mount_point, directory, kCpus, new_levels, used));
  TRY(inherit(mount_point, directory, kMems, new_levels, used));
  if (new_levels > 1) {
    // The next container below the same parent is spared this. Nothing depends on it.
    static_cast<void>(used.write(path_of(parent_path(directory), "cgroup.clone_children"), "1"));
  }
  return {};
}

}  // namespace langsbx::cgroup::v1
