// What the names of the C and C++ libraries reach for.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "languages/finding.h"
#include "languages/scanner/words.h"

namespace langsbx::languages::c {

struct Function {
  Capability capability = Capability::kNone;
  // A word that programs also use for their own functions and variables (`remove`, `link`): only a
  // call counts, and not when the file defines it itself. The object file decides those anyway.
  bool word = false;
  // How many of its first arguments are paths.
  std::uint8_t paths = 0;
};

// A function, variable or type by its name; null when it is harmless or unknown.
[[nodiscard]] const Function* find_function(std::string_view name);

// All names that find_function knows, but for those that begin with _.
[[nodiscard]] const scanner::WordFilter& function_words();

// A header by what stands between < and >. Null: not one of the languages' own libraries.
[[nodiscard]] const Capability* find_header(std::string_view name);

// Whether `name` begins (or ends) one of the functions that start processes, load code or talk to
// the network: what token pasting could complete.
[[nodiscard]] bool begins_function(std::string_view part);
[[nodiscard]] bool ends_function(std::string_view part);
void each_dangerous(const std::function<void(std::string_view)>& visit);

// Attributes that change what is called or where code lives are not on this list.
[[nodiscard]] bool is_harmless_attribute(std::string_view name);

}  // namespace langsbx::languages::c
