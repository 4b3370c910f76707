// Where the walk to a cgroup begins. /sys is a sysfs: each of its directories is looked up under a
// lock which whoever makes or removes a network namespace holds again and again. Paths below
// /sys/fs/cgroup are walked from a descriptor of it, so that containers that start side by side do
// not wait for each other there.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cgroup {

class Root {
 public:
  // For the calls that end in "at": good until close(), and as long as the path is.
  struct Place {
    int directory;
    const char* path;
  };
  // Opens the directory when it is needed first.
  Place place(const std::string& path);
  Result<UniqueFd> open(const std::string& path, int flags);
  void close() { static_cast<void>(take()); }
  // To be closed together with others; not valid where it was not needed.
  UniqueFd take();

 private:
  UniqueFd directory_;
  bool tried_ = false;
};

}  // namespace langsbx::cgroup
