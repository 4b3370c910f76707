// The languages this build knows, in the order they are listed and tried.
#pragma once

#include <span>
#include <string_view>

#include "languages/language.h"

namespace langsbx::languages {

[[nodiscard]] std::span<const Language* const> all_languages();

// By name or alias, without regard to case; nullptr when unknown.
[[nodiscard]] const Language* find_language(std::string_view name);

// By the base name of the interpreter: "/usr/bin/python3.11" and "python3" give Python (a version
// behind a listed name is ignored). nullptr when unknown.
[[nodiscard]] const Language* language_of_interpreter(std::string_view program);

// By the file's extension, else by the interpreter of its "#!" line (env and its options looked
// through). nullptr when neither says.
[[nodiscard]] const Language* language_of_file(std::string_view path, std::string_view bytes);

}  // namespace langsbx::languages
