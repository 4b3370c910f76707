// A new v1 cpuset is empty and takes no process: CPUs and nodes are copied down from its parents.
#include "runtime/cgroup/v1/cpuset_inherit.h"
#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup::v1 {
namespace {

// The value of `file` in `directory`, after filling it from above.
Result<std::string> inherit(const std::string& mount_point, const std::string& directory,
                            const char* file) {
  const std::string path = directory + "/" + file;
  std::string value(trim(TRY(read_file(path))));
  if (!value.empty() || directory.size() <= mount_point.size()) return value;
  value = TRY(inherit(mount_point, std::string(parent_path(directory)), file));
  TRY(write_file(path, value));
  return value;
}

}  // namespace

Result<void> inherit_cpuset(const std::string& mount_point, const std::string& directory) {
  TRY(inherit(mount_point, directory, "cpuset.cpus"));
  TRY(inherit(mount_point, directory, "cpuset.mems"));
  return {};
}

}  // namespace langsbx::cgroup::v1
