// A new v1 cpuset is empty and takes no process: CPUs and nodes are copied down from its parents.
#include "runtime/cgroup/v1/cpuset_inherit.h"
#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup::v1 {
namespace {

// The value of `file` in `directory`, after filling it from above. A directory that was just made
// is known to be empty.
Result<std::string> inherit(const std::string& mount_point, const std::string& directory,
                            const char* file, bool is_new) {
  const std::string path = directory + "/" + file;
  std::string value;
  if (!is_new) value = trim(TRY(read_kernel_file(AT_FDCWD, path.c_str())));
  if (!value.empty() || directory.size() <= mount_point.size()) return value;
  value = TRY(inherit(mount_point, std::string(parent_path(directory)), file, false));
  TRY(write_file(path, value));
  return value;
}

}  // namespace

Result<void> inherit_cpuset(const std::string& mount_point, const std::string& directory,
                            bool is_new) {
  TRY(inherit(mount_point, directory, "cpuset.cpus", is_new));
  TRY(inherit(mount_point, directory, "cpuset.mems", is_new));
  return {};
}

}  // namespace langsbx::cgroup::v1
