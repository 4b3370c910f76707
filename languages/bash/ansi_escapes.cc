// Decoding of $'...'.
#include "languages/bash/ansi_escapes.h"

#include <cstdint>

namespace langsbx::languages::bash {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::size_t put_utf8(std::uint32_t code, char* out) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value & 0xFFU); };
  if (code < 0x80) {
    out[0] = byte(code);
    return 1;
  }
  if (code < 0x800) {
    out[0] = byte(0xC0U | code >> 6U);
    out[1] = byte(0x80U | (code & 0x3FU));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = byte(0xE0U | code >> 12U);
    out[1] = byte(0x80U | (code >> 6U & 0x3FU));
    out[2] = byte(0x80U | (code & 0x3FU));
    return 3;
  }
  out[0] = byte(0xF0U | (code >> 18U & 7U));
  out[1] = byte(0x80U | (code >> 12U & 0x3FU));
  out[2] = byte(0x80U | (code >> 6U & 0x3FU));
  out[3] = byte(0x80U | (code & 0x3FU));
  return 4;
}

char simple_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'e':
    case 'E':
      return '\x1b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\\':
    case '\'':
    case '"':
    case '?':
      return c;
    default:
      return '\0';
  }
}

// Up to `most` digits of `base` at `i`; moves `i`.
std::uint32_t number(std::string_view raw, std::size_t& i, std::size_t most, int base) {
  std::uint32_t value = 0;
  for (std::size_t n = 0; n < most && i < raw.size(); ++n, ++i) {
    const int digit = hex_digit(raw[i]);
    if (digit < 0 || digit >= base) break;
    value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
  }
  return value;
}

}  // namespace

// \UHHHHHHHH shrinks; "\u1" (3 bytes) gives one; nothing grows beyond 4 for 3.
std::size_t ansi_room(std::string_view raw) { return raw.size() + raw.size() / 3 + 4; }

std::size_t decode_ansi(std::string_view raw, char* out) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < raw.size();) {
    if (raw[i] != '\\' || i + 1 >= raw.size()) {
      out[length++] = raw[i++];
      continue;
    }
    const char c = raw[i + 1];
    const std::size_t start = i;
    i += 2;
    if (const char plain = simple_escape(c); plain != '\0') {
      out[length++] = plain;
      continue;
    }
    std::size_t digits = i;
    std::uint32_t value = 0;
    if (c >= '0' && c <= '7') {
      digits = i - 1;
      value = number(raw, digits, 3, 8) & 0xFFU;
    } else if (c == 'x') {
      const bool braces = i < raw.size() && raw[i] == '{';
      if (braces) ++digits;
      const std::size_t first = digits;
      value = number(raw, digits, braces ? raw.size() : 2, 16) & 0xFFU;
      if (digits == first) digits = i;
      if (braces && digits < raw.size() && raw[digits] == '}' && digits != i) ++digits;
    } else if (c == 'u' || c == 'U') {
      value = number(raw, digits, c == 'u' ? 4 : 8, 16);
      if (digits != i) {
        i = digits;
        if (value == 0) return length;
        length += put_utf8(value, out + length);
        continue;
      }
    } else if (c == 'c' && i < raw.size()) {
      value = static_cast<std::uint32_t>(raw[i]) & 0x1FU;
      digits = i + 1;
      if (raw[i] == '?') value = 0x7F;
    }
    if (digits == i) {  // no escape after all: both characters stay
      out[length++] = raw[start];
      out[length++] = c;
      continue;
    }
    i = digits;
    if (value == 0) return length;
    out[length++] = static_cast<char>(value);
  }
  return length;
}

}  // namespace langsbx::languages::bash
