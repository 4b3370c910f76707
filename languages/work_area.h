// Whether a path that source names stands inside the work area of the policy. Text only: links and
// mounts are the kernel's business.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "languages/policy.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages {

enum class PathPlace { kInside, kOutside };

// `prefix` is complete directories: "/data" holds "/data/x", not "/database".
[[nodiscard]] inline bool under_prefix(std::string_view path, std::string_view prefix) {
  while (prefix.size() > 1 && prefix.back() == '/') prefix.remove_suffix(1);
  if (!path.starts_with(prefix)) return false;
  return path.size() == prefix.size() || prefix.back() == '/' || path[prefix.size()] == '/';
}

[[nodiscard]] inline bool climbs(std::string_view path) {
  std::size_t start = 0;
  while (start <= path.size()) {
    std::size_t end = path.find_first_of("/\\", start);
    if (end == std::string_view::npos) end = path.size();
    if (path.substr(start, end - start) == "..") return true;
    start = end + 1;
  }
  return false;
}

// `path` as the program writes it; relative paths are taken from the work directory. The standard
// streams and /dev/null are inside.
[[nodiscard]] inline PathPlace place_of_path(std::string_view path, const Policy& policy,
                                             bool writes) {
  static constexpr auto kStreams = text_list("/dev/null", "/dev/stdin", "/dev/stdout",
                                             "/dev/stderr", "/dev/fd/0", "/dev/fd/1", "/dev/fd/2");
  if (climbs(path)) return PathPlace::kOutside;
  if (path.empty() || path.front() != '/') {
    return path.starts_with("~") ? PathPlace::kOutside : PathPlace::kInside;
  }
  for (const std::string_view stream : kStreams) {
    if (path == stream) return PathPlace::kInside;
  }
  for (const std::string& prefix : policy.paths_write) {
    if (under_prefix(path, prefix)) return PathPlace::kInside;
  }
  if (writes) return PathPlace::kOutside;
  for (const std::string& prefix : policy.paths_read) {
    if (under_prefix(path, prefix)) return PathPlace::kInside;
  }
  return PathPlace::kOutside;
}

}  // namespace langsbx::languages
