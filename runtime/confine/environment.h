// The environment of a guarded program: variables that make an interpreter, a loader or a compiler
// run code or read options that nobody has judged are taken out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace langsbx::confine {

// Removes them from `environment` ("NAME=value"); returns the names that were removed, in order.
std::vector<std::string> sanitize_environment(std::vector<std::string>& environment);
bool is_dangerous_variable(std::string_view name);

}  // namespace langsbx::confine
