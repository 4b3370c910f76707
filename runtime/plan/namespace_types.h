// The eight namespace types and their names and numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "oci/spec.h"

namespace langsbx::plan {

struct NamespaceInfo {
  oci::NamespaceType type;
  std::string_view name;       // in config.json
  std::string_view proc_name;  // in /proc/PID/ns
  std::uint64_t flag;          // CLONE_NEW*
};

inline constexpr NamespaceInfo kNamespaces[] = {
    {oci::NamespaceType::kPid, "pid", "pid", 0x20000000},
    {oci::NamespaceType::kNetwork, "network", "net", 0x40000000},
    {oci::NamespaceType::kMount, "mount", "mnt", 0x00020000},
    {oci::NamespaceType::kIpc, "ipc", "ipc", 0x08000000},
    {oci::NamespaceType::kUts, "uts", "uts", 0x04000000},
    {oci::NamespaceType::kUser, "user", "user", 0x10000000},
    {oci::NamespaceType::kCgroup, "cgroup", "cgroup", 0x02000000},
    {oci::NamespaceType::kTime, "time", "time", 0x00000080},
};

constexpr const NamespaceInfo& namespace_info(oci::NamespaceType type) {
  for (const auto& info : kNamespaces) {
    if (info.type == type) return info;
  }
  return kNamespaces[0];
}
constexpr std::string_view namespace_name(oci::NamespaceType t) { return namespace_info(t).name; }
constexpr std::string_view proc_name(oci::NamespaceType t) { return namespace_info(t).proc_name; }
constexpr std::uint64_t clone_flag(oci::NamespaceType t) { return namespace_info(t).flag; }

}  // namespace langsbx::plan
