// The version of an interpreter of this host, asked once and kept.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace langsbx::execute {

struct Version {
  int major = 0;
  int minor = 0;
  auto operator<=>(const Version&) const = default;  // NOLINT(modernize-use-nullptr)
};
// "v20.11.0" -> 20, 11.
std::optional<Version> parse_version(std::string_view text);
// Of what `program --version` prints first; nothing when it can't be asked.
std::optional<Version> program_version(const std::string& program, const std::string& state_root);

}  // namespace langsbx::execute
