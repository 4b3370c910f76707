// The version of an interpreter of this host, asked once and kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "languages/launch.h"

namespace langsbx::execute {

using languages::Version;

// "v20.11.0" -> 20, 11.
std::optional<Version> parse_version(std::string_view text);
// Of what `program --version` prints first; nothing when it can't be asked.
std::optional<Version> program_version(const std::string& program, const std::string& state_root);

}  // namespace langsbx::execute
