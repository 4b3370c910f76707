// Variables that an interpreter is given, so that it takes in no code which nobody judged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace langsbx::guard {

struct GivenVariable {
  std::string_view language;
  std::string_view name;
  std::string_view value;
};

// Replaces what `environment` had under those names.
void give_variables(std::string_view language, std::vector<std::string>& environment);
// Python's without the program's own folder, for one that takes nothing from there.
void give_safe_path(std::vector<std::string>& environment);

// Whether the interpreter of `language` has to see this variable as it was given.
[[nodiscard]] bool is_given(std::string_view language, std::string_view name);

}  // namespace langsbx::guard
