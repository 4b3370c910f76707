// Strings, the text of f-strings and format specifications, and numbers.
#include <algorithm>

#include "languages/byte_blocks.h"
#include "languages/python/scanner.h"

namespace langsbx::languages::python {

// `at` is the quote, `start` where the prefix begins.
Scanner::At Scanner::string(At start, At at, bool raw, bool formatted) {
  const char quote = *at;
  const bool triple = at[1] == quote && at[2] == quote;
  at += triple ? 3 : 1;
  if (formatted) {
    if (stack_.size() >= max_nesting_) return deep(start);
    push(TokenKind::kFString, start, at, raw ? 'r' : 0);
    stack_.push_back({index(), 0, quote, triple, raw, false, false});
    in_text_ = true;
    return at;
  }
  std::uint32_t marks = 0;
  const At behind = triple ? skip_triple(at, marks) : skip_short(at, marks);
  if (behind == nullptr) return fail("a string is never closed", start);
  push(TokenKind::kString, start, behind, static_cast<std::uint8_t>(marks));
  return behind;
}

namespace {

// What a block shows of a string's marks; what may go on in the next block counts.
std::uint32_t marks_of(const Block& block) {
  const std::uint32_t low = block.equal('_');
  const std::uint32_t sign = block.equal('>');
  const bool dunder = ((low & low >> 1U) | (low & 0x8000U)) != 0;
  const bool prompt = ((sign & sign >> 1U & sign >> 2U) | (sign & 0x8000U)) != 0;
  return (dunder ? std::uint32_t{kMarkDunder} : 0U) | (prompt ? std::uint32_t{kMarkPrompt} : 0U);
}

}  // namespace

// Behind the closing quote (the one that opened stands before `at`); null when the line or the text
// ends first.
Scanner::At Scanner::skip_short(At at, std::uint32_t& marks) const {
  const char quote = at[-1];
  while (true) {
    const Block block(at);
    const std::uint32_t ends = block.equal(quote, '\\', '\n');
    marks |= marks_of(block);
    at += first_of(ends);
    if (at >= end_) return nullptr;
    if (ends == 0) continue;
    if (*at == quote) return at + 1;
    if (*at == '\n') return nullptr;
    marks |= kMarkBackslash;
    at += at[1] == '\r' && at[2] == '\n' ? 3 : 2;
    if (at > end_) return nullptr;
  }
}

// The same for three quotes.
Scanner::At Scanner::skip_triple(At at, std::uint32_t& marks) const {
  const char quote = at[-1];
  while (true) {
    const Block block(at);
    const std::uint32_t ends = block.equal(quote, '\\');
    marks |= marks_of(block);
    at += first_of(ends);
    if (at >= end_) return nullptr;
    if (ends == 0) continue;
    if (*at == '\\') {
      marks |= kMarkBackslash;
      at += 2;  // CR LF behind it needs no care: neither is a quote
      if (at > end_) return nullptr;
    } else if (at[1] == quote && at[2] == quote) {
      return at + 3;
    } else {
      ++at;
    }
  }
}

// Literal text of an f-string or of a format specification.
Scanner::At Scanner::text(At start) {
  const Frame frame = stack_.back();
  const At at = text_end(start, frame);
  if (at >= end_) return fail("a string is never closed", start);
  if (at > start) push(TokenKind::kFText, start, at);
  return end_text(at, frame);
}

Scanner::At Scanner::text_end(At at, const Frame& frame) {
  while (at < end_) {
    const Block block(at);
    std::uint32_t marks = block.equal('{', '}', '\\') | block.equal(frame.quote, '\n');
    at += first_of(marks);
    if (marks == 0) continue;
    const char c = *at;
    if (c == '\\') {
      at = text_escape(at, frame);
    } else if ((c == '{' || c == '}') && at[1] == c && !frame.spec) {
      at += 2;
    } else if (c == '{' || c == '}' || (c == '\n' && !frame.triple) || closes(at, frame)) {
      return at;
    } else {
      ++at;
    }
  }
  return end_;
}

// "\N{NAME}" holds braces that are no field; "\{" is a backslash and a field.
Scanner::At Scanner::text_escape(At at, const Frame& frame) {
  if (!frame.raw && at[1] == 'N' && at[2] == '{') {
    if (frame.spec) return fail("a named escape in a format specification", at);
    const At brace = std::find(at, end_, '}');
    return brace == end_ ? end_ : brace + 1;
  }
  return at + (at[1] == '{' || at[1] == '}' ? 1 : at[1] == '\r' ? 3 : 2);
}

bool Scanner::closes(At at, const Frame& frame) {
  return *at == frame.quote && (!frame.triple || (at[1] == frame.quote && at[2] == frame.quote));
}

Scanner::At Scanner::end_text(At at, const Frame& frame) {
  if (*at == '{') {
    if (stack_.size() >= max_nesting_) return deep(at);
    push(TokenKind::kOpen, at, at + 1, 'f');
    stack_.push_back({index(), '}', frame.quote, frame.triple, frame.raw, false, true});
    in_text_ = false;
    return at + 1;
  }
  if (*at == '}' && frame.spec) {
    stack_.pop_back();
    return close(at);
  }
  if (!closes(at, frame) || frame.spec) return fail("an f-string that cannot be read", at);
  const At behind = at + (frame.triple ? 3 : 1);
  push(TokenKind::kFEnd, at, behind).link = frame.token;
  out_.tokens[frame.token].link = index();
  stack_.pop_back();
  in_text_ = !stack_.empty() && stack_.back().close == 0;
  return behind;
}

// Decimal digits by themselves are nearly all numbers there are.
Scanner::At Scanner::number(At start) {
  At at = start + 1;
  while (class_of(*at) == kDigit) ++at;
  if (class_of(*at) == kWord || *at == '.') return long_number(start);
  push(TokenKind::kNumber, start, at);
  return at;
}

namespace {

// Whether the letter at `at` belongs to the number that begins at `start`.
bool number_letter(const char* start, const char* at) {
  const char folded = static_cast<char>(*at | 0x20);
  if (*at == '_') return true;
  if (*start == '0' && at == start + 1 && (folded == 'x' || folded == 'o' || folded == 'b')) {
    return true;
  }
  if (start + 1 < at && *start == '0' && (start[1] | 0x20) == 'x') {
    return folded >= 'a' && folded <= 'f';
  }
  if (folded == 'j') return true;
  if (folded != 'e') return false;
  const bool sign = at[1] == '+' || at[1] == '-';
  return class_of(at[1]) == kDigit || (sign && class_of(at[2]) == kDigit);
}

}  // namespace

Scanner::At Scanner::long_number(At start) {
  bool point = false;
  At at = start;
  while (true) {
    const char c = *at;
    if (c == '.' && point) break;
    point = point || c == '.';
    const bool exponent =
        (c == '+' || c == '-') && at > start && (at[-1] | 0x20) == 'e' && (start[1] | 0x20) != 'x';
    // "1if x": CPython ends the number before the keyword; so do we, as names must be seen.
    if (c != '.' && !exponent && class_of(c) != kDigit && !number_letter(start, at)) break;
    ++at;
  }
  push(TokenKind::kNumber, start, at);
  return at;
}

}  // namespace langsbx::languages::python
