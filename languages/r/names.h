// What R's functions and packages reach for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "languages/finding.h"

namespace langsbx::languages::r {

enum class Use : std::uint8_t {
  kAny,   // mentioning it is enough
  kCall,  // also a usual name for a variable: counts where it is called or not given a value
};

struct Function {
  Capability capability = Capability::kNone;
  Use use = Use::kAny;
};

// The function of base R and its own packages; nullptr: it computes.
[[nodiscard]] const Function* find_function(std::string_view name);
// Which argument, from 1, is a function or its name as a text; 0: none.
[[nodiscard]] int function_argument(std::string_view name);
// What it does with the file that its arguments name; kNone: it takes none.
[[nodiscard]] Capability file_use(std::string_view name);
// Whether it parses a text into a formula.
[[nodiscard]] bool reads_formula(std::string_view name);
// Whether names in its arguments may be columns of a table.
[[nodiscard]] bool masks_names(std::string_view name);
// Options whose values R runs.
[[nodiscard]] bool is_run_option(std::string_view name);
// What loading the package gives; nothing: it is not known.
[[nodiscard]] std::optional<Capability> find_package(std::string_view name);

}  // namespace langsbx::languages::r
