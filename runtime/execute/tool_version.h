// The major version of an interpreter of this host, asked once and kept.
#pragma once

#include <optional>
#include <string>

namespace langsbx::execute {

// Of what `program --version` prints first ("v20.11.0" -> 20). Nothing when it can't be asked, as
// for a program of another root.
std::optional<int> major_version(const std::string& program, const std::string& state_root);

}  // namespace langsbx::execute
