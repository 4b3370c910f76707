// The bytes to be judged, and where a byte stands in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace langsbx::languages {

struct Source {
  std::string_view path;   // for findings only; nothing is opened
  std::string_view bytes;  // judged exactly as the interpreter will read them
  bool included = false;   // pulled in by another file, which can use what it defines
  bool by_sh = false;      // sh, dash or ash reads it, whatever its own first line says
};

// Whether the first line names sh, dash or ash.
[[nodiscard]] bool names_sh(std::string_view bytes);

struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// Counts newlines up to `offset`. Only findings need positions, so scanners keep offsets.
[[nodiscard]] Position position_of(std::string_view bytes, std::size_t offset);

// The whole line that holds `offset`, without its newline (for the caret display).
[[nodiscard]] std::string_view line_at(std::string_view bytes, std::size_t offset);

}  // namespace langsbx::languages
