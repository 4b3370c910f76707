// Variables that an interpreter is given, so that it takes in no code which nobody judged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "languages/language.h"

namespace langsbx::guard {

// Replaces what `environment` had under the names of Launch::environment.
void give_variables(const languages::Language& language, std::vector<std::string>& environment);
// The same with Launch::alone, for a program that takes nothing from its own folder.
void give_variables_alone(const languages::Language& language,
                          std::vector<std::string>& environment);

// Whether the interpreter of `language` has to see this variable as it was given.
[[nodiscard]] bool is_given(const languages::Language& language, std::string_view name);

}  // namespace langsbx::guard
