// The backslash escapes of $'...' (and of `printf` and `echo -e`), decoded as Bash does.
#pragma once

#include <cstddef>
#include <string_view>

namespace langsbx::languages::bash {

// The most that decode_ansi writes for `raw`.
[[nodiscard]] std::size_t ansi_room(std::string_view raw);

// Writes the decoded text and gives its length. A NUL made by an escape ends the text, as it does
// in Bash.
[[nodiscard]] std::size_t decode_ansi(std::string_view raw, char* out);

}  // namespace langsbx::languages::bash
