// UTF-8 read exactly, and the characters on which a reader and an interpreter may disagree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace langsbx::languages {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;  // 0: not valid UTF-8 here (overlong, surrogate, cut, too large)
};

// The code point that starts at `offset`, which must be inside `bytes`.
[[nodiscard]] CodePoint decode_utf8(std::string_view bytes, std::size_t offset);

// U+202A..202E and U+2066..2069: they show the text in another order than it is read.
[[nodiscard]] bool is_bidi_control(std::uint32_t code);

enum class IdentifierProblem : std::uint8_t {
  kNone,
  kBecomesAscii,  // NFKC turns a character of it into ASCII: not the name it seems to be
  kLooksAscii,    // mixes ASCII letters with letters of another script that look like them
  kInvisible,     // holds a character that is not drawn (zero width, joiners, fillers)
};

// For one identifier that holds non-ASCII bytes. Plain ASCII is kNone.
[[nodiscard]] IdentifierProblem identifier_problem(std::string_view identifier);

}  // namespace langsbx::languages
