// Files of cgroups that were read or written, kept open so that one call closes many of them: each
// value has a file of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/root.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cgroup {

class UsedFiles {
 public:
  UsedFiles() = default;
  UsedFiles(UsedFiles&& other) noexcept = default;
  UsedFiles& operator=(UsedFiles&& other) noexcept;
  UsedFiles(const UsedFiles&) = delete;
  UsedFiles& operator=(const UsedFiles&) = delete;
  ~UsedFiles() { close(); }

  // The descriptor, good until the next open() or close().
  Result<int> open(const std::string& path, int flags);
  // An existing file, in one write.
  Result<void> write(const std::string& path, std::string_view data);
  // A file that is one record, such as cpuset.cpus.
  Result<std::string> read(const std::string& path);
  void close();
  // Where paths to all of them begin; open until close(), too.
  Root& root() { return root_; }
  std::vector<UniqueFd> take();

 private:
  void close_files();

  std::vector<UniqueFd> files_;
  Root root_;
};

}  // namespace langsbx::cgroup
