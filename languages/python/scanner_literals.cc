// Strings, the text of f-strings and format specifications, and numbers.
#include <algorithm>

#include "languages/python/scanner.h"

namespace langsbx::languages::python {

void Scanner::string(std::size_t start, bool raw, bool formatted) {
  const char quote = bytes_[at_];
  const bool triple = peek(1) == quote && peek(2) == quote;
  at_ += triple ? 3 : 1;
  if (formatted) {
    if (stack_.size() >= max_nesting_) return deep(start);
    push(TokenKind::kFString, start, at_ - start, raw ? 'r' : 0);
    stack_.push_back({index(), 0, quote, triple, raw, false});
    return;
  }
  if (!(triple ? skip_triple(quote) : skip_short(quote)))
    return fail("a string is never closed", start);
  push(TokenKind::kString, start, at_ - start);
}

// Moves behind the closing quote; false when the line or the text ends first.
bool Scanner::skip_short(char quote) {
  const char* at = bytes_.data() + at_;
  const char* const end = bytes_.data() + bytes_.size();
  while (at < end && *at != quote && *at != '\n') {
    if (*at == '\\') {
      at += end - at > 2 && at[1] == '\r' && at[2] == '\n' ? 3 : 2;
    } else {
      ++at;
    }
  }
  at_ = std::min(static_cast<std::size_t>(at - bytes_.data()), bytes_.size());
  if (at_ >= bytes_.size() || bytes_[at_] != quote) return false;
  ++at_;
  return true;
}

// The same for three quotes. Quotes and backslashes are searched for with memchr, each once.
bool Scanner::skip_triple(char quote) {
  std::size_t slash = bytes_.find('\\', at_);
  std::size_t found = bytes_.find(quote, at_);
  while (true) {
    if (found < at_) found = bytes_.find(quote, at_);
    if (found == std::string_view::npos) return false;
    if (slash < found) {
      at_ = slash + 2;  // CR LF behind it needs no care: neither is a quote
      slash = bytes_.find('\\', at_);
      continue;
    }
    at_ = found + 1;
    if (peek(0) == quote && peek(1) == quote) {
      at_ += 2;
      return true;
    }
  }
}

// Literal text of an f-string or of a format specification.
void Scanner::text() {
  const Frame frame = stack_.back();
  const std::size_t start = at_;
  while (at_ < bytes_.size()) {
    const char c = bytes_[at_];
    if (c == '\\' && !frame.raw) {
      // "\N{NAME}" holds braces that are no field; "\{" is a backslash and a field.
      if (peek(1) == 'N' && peek(2) == '{') {
        if (frame.spec) return fail("a named escape in a format specification", at_);
        at_ = std::min(bytes_.find('}', at_), bytes_.size() - 1) + 1;
      } else {
        at_ += peek(1) == '{' || peek(1) == '}' ? 1 : peek(1) == '\r' ? 3 : 2;
      }
    } else if (c == '\\') {
      at_ += peek(1) == '{' || peek(1) == '}' ? 1 : peek(1) == '\r' ? 3 : 2;
    } else if (c == '{' && peek(1) == '{' && !frame.spec) {
      at_ += 2;
    } else if (c == '}' && peek(1) == '}' && !frame.spec) {
      at_ += 2;
    } else if (c == '{' || c == '}' || (c == '\n' && !frame.triple) || closes(frame)) {
      break;
    } else {
      ++at_;
    }
  }
  if (at_ >= bytes_.size()) return fail("a string is never closed", start);
  if (at_ > start) push(TokenKind::kFText, start, at_ - start);
  end_text(frame);
}

bool Scanner::closes(const Frame& frame) const {
  return bytes_[at_] == frame.quote &&
         (!frame.triple || (peek(1) == frame.quote && peek(2) == frame.quote));
}

void Scanner::end_text(const Frame& frame) {
  if (bytes_[at_] == '{') {
    if (stack_.size() >= max_nesting_) return deep(at_);
    push(TokenKind::kOpen, at_, 1, 'f');
    stack_.push_back({index(), '}', frame.quote, frame.triple, frame.raw, false});
    ++at_;
  } else if (bytes_[at_] == '}' && frame.spec) {
    stack_.pop_back();
    close('}');
  } else if (closes(frame) && !frame.spec) {
    const std::size_t length = frame.triple ? 3 : 1;
    push(TokenKind::kFEnd, at_, length).link = frame.token;
    out_.tokens[frame.token].link = index();
    at_ += length;
    stack_.pop_back();
  } else {
    fail("an f-string that cannot be read", at_);
  }
}

void Scanner::number() {
  const std::size_t start = at_;
  bool point = false;
  while (at_ < bytes_.size()) {
    const char c = bytes_[at_];
    if (c == '.' && point) break;
    point = point || c == '.';
    const bool exponent = (c == '+' || c == '-') && (bytes_[at_ - 1] | 0x20) == 'e' &&
                          at_ > start &&
                          !((bytes_[start + 1 < bytes_.size() ? start + 1 : start] | 0x20) == 'x');
    // "1if x": CPython ends the number before the keyword; so do we, as names must be seen.
    if (c != '.' && !exponent && class_of(c) != kDigit && !number_letter(c, start)) break;
    ++at_;
  }
  push(TokenKind::kNumber, start, at_ - start);
}

bool Scanner::number_letter(char c, std::size_t start) const {
  const char folded = static_cast<char>(c | 0x20);
  if (c == '_') return true;
  const bool radix = bytes_[start] == '0' && at_ == start + 1;
  if (radix && (folded == 'x' || folded == 'o' || folded == 'b')) return true;
  if (start + 1 < at_ && bytes_[start] == '0' && (bytes_[start + 1] | 0x20) == 'x') {
    return folded >= 'a' && folded <= 'f';
  }
  if (folded == 'j') return true;
  if (folded != 'e') return false;
  const char next = peek(1);
  const char after = peek(2);
  return class_of(next) == kDigit || ((next == '+' || next == '-') && class_of(after) == kDigit);
}

}  // namespace langsbx::languages::python
