// String, character, template, raw and regular-expression literals.
#include "languages/scanner/state.h"
#include "languages/unicode.h"

namespace langsbx::languages::scanner {

void State::double_quote(std::size_t start) {
  if (dialect_.text_blocks && text_.substr(pos_, 3) == "\"\"\"") return text_block(start);
  quoted(start, '"', TokenKind::kString);
}

void State::single_quote(std::size_t start) {
  if (dialect_.lifetimes) return rust_quote(start);
  const bool string = dialect_.templates || dialect_.backtick_names;
  quoted(start, '\'', string ? TokenKind::kString : TokenKind::kChar);
}

// From the quote at pos_ to its partner; `start` is where the prefix began.
void State::quoted(std::size_t start, char quote, TokenKind kind) {
  const bool multi_line = dialect_.lifetimes || dialect_.backtick_names;
  const bool escapes = !(in_directive_ && header_next_);
  std::size_t at = pos_ + 1;
  std::uint8_t flags = 0;
  for (;; ++at) {
    at = find_in_string(text_, at, quote);
    if (at >= size_) return fault(Fault::kUnterminatedString, start, size_);
    const char c = text_[at];
    if (c == quote) break;
    if (c == '\\' && escapes) {
      flags |= kEscaped;
      if (dialect_.text_blocks && peek(at + 1) == 'u') {
        std::size_t end = at;
        if (!harmless_unicode_escape(at, true, end)) {
          return fault(Fault::kUnicodeEscape, start, line_end(start));
        }
        at = end - 1;
        continue;
      }
      const std::size_t past = dialect_.preprocessor ? splice_end(at) : at;
      if (past != at) {
        at = past - 1;
        continue;
      }
      ++at;
      if (peek(at) == '\r' && peek(at + 1) == '\n') ++at;
      const bool continues = dialect_.templates || multi_line;
      if (peek(at) == '\n' && !continues) {
        return fault(Fault::kUnterminatedString, start, line_end(start));
      }
      continue;
    }
    if (c == '\n' && !multi_line) return fault(Fault::kUnterminatedString, start, line_end(at - 1));
    if (c == '\r' && peek(at + 1) != '\n' && !dialect_.raw_backtick) {
      return fault(Fault::kBareCarriageReturn, start, at + 1);
    }
    if (static_cast<unsigned char>(c) >= 0x80) flags |= kNonAscii;
  }
  emit(kind, start, at + 1, 0, flags);
  if (kind == TokenKind::kString) mark_last();
}

void State::text_block(std::size_t start) {
  std::size_t at = pos_ + 3;
  while (peek(at) == ' ' || peek(at) == '\t' || peek(at) == '\f') ++at;
  if (peek(at) != '\n' && peek(at) != '\r') {
    // "" and then a string: only so when no line follows the three quotes.
    emit_text(TokenKind::kString, start, start + 2);
    return;
  }
  for (;; ++at) {
    at = find_any(text_, at, '\\', '"', '"');
    if (at >= size_) break;
    if (text_[at] == '\\') {
      if (peek(at + 1) == 'u') {
        std::size_t end = at;
        if (!harmless_unicode_escape(at, true, end)) {
          return fault(Fault::kUnicodeEscape, start, size_);
        }
        at = end - 1;
      } else {
        ++at;
      }
    } else if (text_.substr(at, 3) == "\"\"\"") {
      emit_text(TokenKind::kTextBlock, start, at + 3, kEscaped);
      return;
    }
  }
  fault(Fault::kUnterminatedString, start, size_);
}

void State::backtick() {
  if (dialect_.templates) return template_piece(pos_);
  if (dialect_.raw_backtick) return raw_backtick();
  if (dialect_.backtick_names) return backtick_name();
  fault(Fault::kUnknownByte, pos_, pos_ + 1);
}

// A name in backticks; with an escape in it, what it is called stands nowhere.
void State::backtick_name() {
  const std::size_t end = text_.find('`', pos_ + 1);
  if (end == std::string_view::npos) return fault(Fault::kUnterminatedString, pos_, size_);
  const bool escaped = text_.substr(pos_, end - pos_).find('\\') != std::string_view::npos;
  if (escaped) return fault(Fault::kEscapedIdentifier, pos_, end + 1);
  emit_text(TokenKind::kRawString, pos_, end + 1);
}

void State::percent_operator() {
  const std::size_t end = text_.find('%', pos_ + 1);
  if (end == std::string_view::npos || end > line_end(pos_)) {
    return fault(Fault::kUnterminatedString, pos_, line_end(pos_));
  }
  emit(TokenKind::kPunctuation, pos_, end + 1, '%');
}

// r"(...)", R'--[...]--': dashes and a bracket, the other way round at the end.
bool State::r_raw_string(std::size_t start, std::string_view prefix) {
  if (prefix != "r" && prefix != "R") return false;
  const char quote = text_[pos_];
  std::size_t open = pos_ + 1;
  while (peek(open) == '-') ++open;
  const std::size_t dashes = open - pos_ - 1;
  const std::size_t kind = std::string_view("([{").find(peek(open));
  if (kind == std::string_view::npos) return false;
  const char close = ")]}"[kind];
  for (std::size_t at = text_.find(close, open); at != std::string_view::npos;
       at = text_.find(close, at + 1)) {
    std::size_t past = at + 1;
    while (past - at - 1 < dashes && peek(past) == '-') ++past;
    if (past - at - 1 != dashes || peek(past) != quote) continue;
    emit_text(TokenKind::kRawString, start, past + 1);
    return true;
  }
  fault(Fault::kUnterminatedString, start, size_);
  return true;
}

void State::raw_backtick() {
  const std::size_t end = text_.find('`', pos_ + 1);
  if (end == std::string_view::npos) return fault(Fault::kUnterminatedString, pos_, size_);
  emit_text(TokenKind::kRawString, pos_, end + 1);
}

// From ` or the } that ends a ${ } to the closing ` or the next ${.
void State::template_piece(std::size_t start) {
  std::uint8_t flags = 0;
  const unsigned closes = text_[start] == '}' ? kCloses : 0;
  for (std::size_t at = start + 1;; ++at) {
    at = find_any(text_, at, '\\', '`', '$');
    if (at >= size_) break;
    const char c = text_[at];
    if (c == '\\') {
      flags |= kEscaped;
      ++at;
    } else if (c == '`') {
      emit_text(TokenKind::kTemplate, start, at + 1, flags | closes);
      return;
    } else if (c == '$' && peek(at + 1) == '{') {
      if (depth_ >= max_nesting_) return too_deep(at, at + 2);
      emit_text(TokenKind::kTemplate, start, at + 2, flags | closes | kOpens);
      open_pair(out_.size() - 1);
      return;
    }
  }
  fault(Fault::kUnterminatedString, start, size_);
}

void State::regex() {
  bool in_class = false;
  std::size_t at = pos_ + 1;
  for (;; ++at) {
    const char c = peek(at);
    if (at >= size_ || c == '\n' || c == '\r') {
      return fault(Fault::kUnterminatedRegex, pos_, at);
    }
    if (c == '\\') {
      ++at;
      if (peek(at) == '\n' || peek(at) == '\r') return fault(Fault::kUnterminatedRegex, pos_, at);
    } else if (c == '[') {
      in_class = true;
    } else if (c == ']') {
      in_class = false;
    } else if (c == '/' && !in_class) {
      break;
    }
  }
  ++at;
  while (is_name_part(at)) ++at;
  emit(TokenKind::kRegex, pos_, at);
}

void State::header_name() {
  const std::size_t line = line_end(pos_);
  const std::size_t end = text_.substr(0, line).find('>', pos_);
  header_next_ = false;
  if (end == std::string_view::npos) {
    emit(TokenKind::kPunctuation, pos_, pos_ + 1, '<');
    return;
  }
  emit(TokenKind::kHeaderName, pos_, end + 1);
}

bool State::prefixed_literal(std::size_t start) {
  const std::string_view prefix = text_.substr(start, pos_ - start);
  if (prefix.size() > 3) return false;
  if (dialect_.lifetimes) return rust_prefixed_literal(start, prefix);
  if (dialect_.backtick_names) return r_raw_string(start, prefix);
  return dialect_.preprocessor && c_prefixed_literal(start, prefix);
}

bool State::c_prefixed_literal(std::size_t start, std::string_view prefix) {
  const bool raw = prefix.ends_with("R");
  const std::string_view encoding = raw ? prefix.substr(0, prefix.size() - 1) : prefix;
  if (!encoding.empty() && encoding != "L" && encoding != "u" && encoding != "U" &&
      encoding != "u8") {
    return false;
  }
  const char quote = text_[pos_];
  if (raw && quote == '\'') return false;
  if (!raw) {
    quoted(start, quote, quote == '"' ? TokenKind::kString : TokenKind::kChar);
  } else if (dialect_.cpp) {
    cpp_raw_string(start, pos_);
  } else {
    // GCC reads raw strings in gnu17 but not in c17; Clang in neither.
    fault(Fault::kAmbiguousLiteral, start, pos_ + 1);
  }
  return true;
}

void State::cpp_raw_string(std::size_t start, std::size_t quote) {
  const std::size_t open = text_.find_first_of("( )\\\t\v\f\n\r", quote + 1);
  if (open == std::string_view::npos || text_[open] != '(' || open - quote - 1 > 16) {
    return fault(Fault::kUnterminatedString, start, line_end(start));
  }
  char closing[18];
  std::size_t length = 0;
  closing[length++] = ')';
  for (std::size_t i = quote + 1; i < open; ++i) closing[length++] = text_[i];
  closing[length++] = '"';
  const std::size_t end = text_.find(std::string_view(closing, length), open + 1);
  if (end == std::string_view::npos) return fault(Fault::kUnterminatedString, start, size_);
  emit_text(TokenKind::kRawString, start, end + length);
}

bool State::rust_prefixed_literal(std::size_t start, std::string_view prefix) {
  const char next = text_[pos_];
  if (next == '\'') {
    if (prefix != "b") return false;
    quoted(start, '\'', TokenKind::kChar);
    return true;
  }
  std::size_t hashes = pos_;
  while (peek(hashes) == '#') ++hashes;
  const bool quote_follows = peek(hashes) == '"';
  if (prefix == "cr" && quote_follows) {
    // Edition 2021 reads a raw C string, the editions before it a name, # and a string.
    fault(Fault::kAmbiguousLiteral, start, hashes + 1);
    return true;
  }
  if ((prefix == "r" || prefix == "br") && quote_follows) {
    rust_raw_string(start, hashes - pos_);
    return true;
  }
  if (next == '#') {
    if (prefix != "r" || hashes - pos_ != 1 || !is_name_part(hashes)) return false;
    const std::size_t end = name_end(hashes);
    const std::uint16_t hash = name_hash(text_, hashes, end);
    emit(TokenKind::kIdentifier, start, end, hash);
    if (words_.may_hold(hash)) mark_last();
    return true;
  }
  if (prefix != "b" && prefix != "c") return false;
  quoted(start, '"', TokenKind::kString);
  return true;
}

void State::rust_raw_string(std::size_t start, std::size_t hashes) {
  std::size_t at = pos_ + hashes + 1;
  for (;;) {
    at = text_.find('"', at);
    if (at == std::string_view::npos) return fault(Fault::kUnterminatedString, start, size_);
    ++at;
    std::size_t found = 0;
    while (found < hashes && peek(at + found) == '#') ++found;
    at += found;
    if (found == hashes) break;
  }
  emit_text(TokenKind::kRawString, start, at);
}

// 'a' and '\n' are characters, 'a and 'static lifetimes.
void State::rust_quote(std::size_t start) {
  const std::size_t first = pos_ + 1;
  if (peek(first) == '\\') return quoted(start, '\'', TokenKind::kChar);
  if (first >= size_ || peek(first) == '\n' || peek(first) == '\'') {
    return fault(Fault::kUnterminatedString, start, first);
  }
  const CodePoint code = decode_utf8(text_, first);
  if (code.length == 0) return fault(Fault::kInvalidUtf8, start, first + 1);
  if (peek(first + code.length) == '\'') {
    emit(TokenKind::kChar, start, first + code.length + 1);
    return;
  }
  if (!is_name_part(first) || class_at(first) == CharClass::kDigit) {
    return fault(Fault::kUnterminatedString, start, first);
  }
  emit(TokenKind::kLifetime, start, name_end(first));
}

}  // namespace langsbx::languages::scanner
