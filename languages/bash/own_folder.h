// `$(cd "$(dirname "$0")" && pwd)` and the other ways in which scripts name their own folder.
#pragma once

#include <string_view>

namespace langsbx::languages::bash {

// Whether the text of a substitution gives the script's folder and no other one: a word more
// (`$(dirname "$0")/sub`), or dirname once more, is another folder.
[[nodiscard]] bool names_own_folder(std::string_view text);

}  // namespace langsbx::languages::bash
