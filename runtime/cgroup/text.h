// Splitting and reading the texts of cgroup files, and putting paths together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::cgroup {

// Takes the next part that is not empty off `rest`; false when there is none.
inline bool next_part(std::string_view& rest, char separator, std::string_view& part) {
  while (!rest.empty()) {
    part = rest.substr(0, rest.find(separator));
    rest.remove_prefix(part.size() < rest.size() ? part.size() + 1 : part.size());
    if (!part.empty()) return true;
  }
  return false;
}
// All of them.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

// Whole text as a decimal number; "max" is the largest.
std::optional<std::uint64_t> to_number(std::string_view text);
std::optional<std::int64_t> to_signed(std::string_view text);

// "key value" lines.
std::vector<std::pair<std::string_view, std::uint64_t>> key_values(std::string_view text);
// "0-2,7" as single numbers; malformed parts are refused.
std::optional<std::vector<std::uint16_t>> range_list(std::string_view text);

// "/a" + "b/c" and "/a" + "/b/c" are both "/a/b/c"; without doubled or trailing slashes.
std::string join_path(std::string_view base, std::string_view path);
// "/a/./b/../c" -> "/a/c", "../a" -> "a": never above the start, which is "/".
std::string clean_path(std::string_view path);
std::string_view parent_path(std::string_view path);  // of an absolute path

// Refuses "..", NUL and newline in a path of config.json; `field` names it.
Result<void> check_path(std::string_view path, std::string_view field);

}  // namespace langsbx::cgroup
