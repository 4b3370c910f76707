// What a TOML text defines and where; enough to edit it as text, with comments and order kept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::clients {

using TomlPath = std::vector<std::string>;

struct TomlStatement {
  enum class Kind : std::uint8_t { kTable, kArrayOfTables, kValue };
  Kind kind = Kind::kValue;
  TomlPath path;           // from the document's root, the table's path included
  std::size_t begin = 0;   // of its first line
  std::size_t end = 0;     // behind its last line's end
  std::string_view value;  // as written
};

// Refuses what it does not understand, with the line.
Result<std::vector<TomlStatement>> scan_toml(std::string_view text);

// The strings of one string or of an array of strings; nothing when the value is something else.
std::optional<std::vector<std::string>> toml_strings(std::string_view value);
std::string toml_quoted(std::string_view text);
// ["a", "b"]
std::string toml_array(std::span<const std::string> strings);

const TomlStatement* find_toml(std::span<const TomlStatement> statements, const TomlPath& path);
bool begins_with(const TomlPath& path, const TomlPath& beginning);

}  // namespace langsbx::clients
