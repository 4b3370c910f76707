// Support of the live tests: children that wait in cgroups, and the host's hierarchies.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "runtime/cgroup/cgroup.h"

namespace langsbx::test {

// A child that runs `body` once told to; killed and reaped at the end of its life.
class LiveChild {
 public:
  // With `group_fd` it is born in that cgroup2 directory.
  explicit LiveChild(std::function<int()> body, int group_fd = -1);
  LiveChild(const LiveChild&) = delete;
  LiveChild& operator=(const LiveChild&) = delete;
  ~LiveChild();

  [[nodiscard]] pid_t pid() const { return pid_; }
  void go() const;
  // What `body` returned, 1000 + N when signal N ended it.
  int wait();
  [[nodiscard]] std::string cgroups() const;  // /proc/PID/cgroup

 private:
  pid_t pid_ = -1;
  int gate_ = -1;
};

// Nothing but the own process id tells parallel runs apart.
std::string live_name(const std::string& suffix = "");
bool is_root();
std::string read_text(const std::string& path);  // without the newline; "<none>" when missing
void write_text(const std::string& path, const std::string& text);

// A cgroup2 tree to work in: the host's, or on a hybrid host a directory of our own in its unified
// tree that stands for a mount without controllers. Mode kNone when there is no cgroup2.
struct LiveTree {
  LiveTree();
  LiveTree(const LiveTree&) = delete;
  LiveTree& operator=(const LiveTree&) = delete;
  ~LiveTree();
  cgroup::Host host;
  bool has_controllers = false;

 private:
  std::string own_directory_;
};

}  // namespace langsbx::test
