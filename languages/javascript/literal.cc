// Escapes of string literals, exactly as ECMAScript has them.
#include "languages/javascript/fold.h"

namespace langsbx::languages::javascript {
namespace {

int hex_digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

void append_utf8(std::string& out, std::uint32_t point) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0U | point >> 6U);
    put(0x80U | (point & 0x3FU));
  } else if (point < 0x10000) {
    put(0xE0U | point >> 12U);
    put(0x80U | (point >> 6U & 0x3FU));
    put(0x80U | (point & 0x3FU));
  } else {
    put(0xF0U | (point >> 18U & 7U));
    put(0x80U | (point >> 12U & 0x3FU));
    put(0x80U | (point >> 6U & 0x3FU));
    put(0x80U | (point & 0x3FU));
  }
}

// Reads up to `most` hex digits at `at`.
std::uint32_t read_hex(std::string_view text, std::size_t& at, int most) {
  std::uint32_t value = 0;
  for (int i = 0; i < most && at < text.size() && hex_digit(text[at]) >= 0; ++i, ++at) {
    value = (value << 4U | static_cast<std::uint32_t>(hex_digit(text[at]))) & 0x1FFFFFU;
  }
  return value;
}

void decode_octal(std::string_view text, std::size_t& at, std::string& out) {
  std::uint32_t value = 0;
  for (int i = 0; i < 3 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++i) {
    const std::uint32_t next = value * 8 + static_cast<std::uint32_t>(text[at] - '0');
    if (next > 255) break;
    value = next;
    ++at;
  }
  append_utf8(out, value);
}

// `at` stands behind the backslash.
void decode_escape(std::string_view text, std::size_t& at, std::string& out) {
  constexpr std::string_view kLetters = "bfnrtv";
  constexpr std::string_view kMeant = "\b\f\n\r\t\v";
  const char letter = text[at];
  if (letter >= '0' && letter <= '7') return decode_octal(text, at, out);
  ++at;
  if (letter == 'x') return append_utf8(out, read_hex(text, at, 2));
  if (letter == 'u') {
    if (at < text.size() && text[at] == '{') {
      append_utf8(out, read_hex(text, ++at, 8));
      if (at < text.size() && text[at] == '}') ++at;
      return;
    }
    return append_utf8(out, read_hex(text, at, 4));
  }
  if (letter == '\n') return;
  if (letter == '\r') {
    if (at < text.size() && text[at] == '\n') ++at;
    return;
  }
  const std::size_t index = kLetters.find(letter);
  out.push_back(index == std::string_view::npos ? letter : kMeant[index]);
}

}  // namespace

std::string decode_literal(std::string_view literal) {
  if (literal.size() < 2) return {};
  const std::string_view body = literal.substr(1, literal.size() - 2);
  std::string out;
  out.reserve(body.size());
  std::size_t at = 0;
  while (at < body.size()) {
    const char letter = body[at++];
    if (letter == '\\' && at < body.size()) {
      decode_escape(body, at, out);
    } else {
      out.push_back(letter);
    }
  }
  return out;
}

}  // namespace langsbx::languages::javascript
