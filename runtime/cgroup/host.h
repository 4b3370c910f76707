// Which cgroup hierarchies this host mounts and where the caller sits in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::cgroup {

enum class Mode : std::uint8_t {
  kNone,    // nothing usable is mounted
  kV1,      // only v1 hierarchies
  kHybrid,  // v1 hierarchies hold the controllers, a cgroup2 mount stands beside them
  kV2       // only cgroup2
};

struct Hierarchy {
  std::vector<std::string> controllers;  // {"cpu","cpuacct"}, {"name=systemd"}; empty: cgroup2
  std::string mount_point;               // "/sys/fs/cgroup/cpu,cpuacct"
  std::string mount_root = "/";          // what part of the hierarchy is mounted there
  std::string own_path = "/";            // the caller's cgroup, from the hierarchy's root

  [[nodiscard]] bool has(std::string_view controller) const;
  // "/a/b" of the hierarchy as a path below mount_point; what lies outside mount_root is taken
  // as relative to the mount (the hierarchy of a container without a cgroup namespace).
  [[nodiscard]] std::string directory(std::string_view path) const;
};

struct Host {
  Mode mode = Mode::kNone;
  std::vector<Hierarchy> hierarchies;  // the v1 ones
  Hierarchy unified;                   // mount_point empty: no cgroup2 mounted

  [[nodiscard]] const Hierarchy* find(std::string_view controller) const;  // v1
};

// Reads /proc/self/cgroup and, unless the hierarchies are mounted at or below `root` in the usual
// way, /proc/self/mountinfo.
Result<Host> detect(const std::string& proc = "/proc", const std::string& root = "/sys/fs/cgroup");

// The pure half of detect().
Host parse_host(std::string_view mountinfo, std::string_view self_cgroup);

}  // namespace langsbx::cgroup
