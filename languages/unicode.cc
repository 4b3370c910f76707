// UTF-8 decoding and the look-up in the generated tables.
#include "languages/unicode.h"

#include <algorithm>
#include <span>

#include "languages/unicode_tables.h"

namespace langsbx::languages {
namespace {

bool contains(std::span<const CodeRange> table, std::uint32_t code) {
  const auto after = std::upper_bound(
      table.begin(), table.end(), code,
      [](std::uint32_t value, const CodeRange& range) { return value < range.first; });
  return after != table.begin() && code <= std::prev(after)->last;
}

bool is_invisible(std::uint32_t code) {
  return code == 0xAD || code == 0x115F || code == 0x1160 || code == 0x180E || code == 0x3164 ||
         code == 0xFFA0 || code == 0xFEFF || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2060 && code <= 0x206F) || (code >= 0xFE00 && code <= 0xFE0F) ||
         (code >= 0xE0000 && code <= 0xE0FFF);
}

}  // namespace

CodePoint decode_utf8(std::string_view bytes, std::size_t offset) {
  const auto at = [&](std::size_t i) -> std::uint32_t {
    return offset + i < bytes.size() ? static_cast<unsigned char>(bytes[offset + i]) : 0U;
  };
  const std::uint32_t lead = at(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return {};
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (at(i) & 0x3FU);
  }
  if (length == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF))) return {};
  if (length == 4 && (code < 0x10000 || code > 0x10FFFF)) return {};
  return {code, length};
}

bool is_bidi_control(std::uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

IdentifierProblem identifier_problem(std::string_view identifier) {
  bool ascii_letter = false;
  bool lookalike = false;
  bool other = false;
  for (std::size_t i = 0; i < identifier.size();) {
    const CodePoint point = decode_utf8(identifier, i);
    if (point.length == 0) return IdentifierProblem::kInvisible;
    i += point.length;
    if (point.value < 0x80) {
      const auto folded = point.value | 0x20U;
      ascii_letter = ascii_letter || (folded >= 'a' && folded <= 'z');
    } else if (contains(kBecomesAscii, point.value)) {
      return IdentifierProblem::kBecomesAscii;
    } else if (is_invisible(point.value)) {
      return IdentifierProblem::kInvisible;
    } else if (contains(kLooksAscii, point.value)) {
      lookalike = true;
    } else {
      other = true;
    }
  }
  return lookalike && ascii_letter && !other ? IdentifierProblem::kLooksAscii
                                             : IdentifierProblem::kNone;
}

}  // namespace langsbx::languages
