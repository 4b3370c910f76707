// The tokenizer: one pass, one explicit stack for brackets and f-strings, no recursion.
#include "languages/python/scanner.h"

#include <algorithm>
#include <cstring>

#include "languages/python/names.h"

namespace langsbx::languages::python {

Scan Scanner::run() {
  out_.tokens.reserve(bytes_.size() / 5 + 64);
  if (bytes_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  while (at_ < bytes_.size() && out_.error == nullptr) {
    if (!stack_.empty() && stack_.back().close == 0) {
      text();
    } else {
      step();
    }
  }
  if (out_.error == nullptr && !stack_.empty()) {
    fail("a bracket or string is never closed", out_.tokens[stack_.back().token].offset);
  }
  newline();
  push(TokenKind::kEnd, bytes_.size(), 0);
  return std::move(out_);
}

bool Scanner::at_statement_start() const {
  if (!stack_.empty()) return false;
  if (out_.tokens.empty()) return true;
  const Token& last = out_.tokens.back();
  return last.kind == TokenKind::kNewline ||
         (last.kind == TokenKind::kOperator && (last.op == ';' || last.op == ':'));
}

void Scanner::newline() {
  if (!out_.tokens.empty() && out_.tokens.back().kind != TokenKind::kNewline) {
    push(TokenKind::kNewline, std::min(at_, bytes_.size()), 0);
  }
}

void Scanner::step() {
  const auto c = static_cast<unsigned char>(bytes_[at_]);
  switch (kClasses[c]) {
    case kSpace: {
      const char* at = bytes_.data() + at_;
      const char* const end = bytes_.data() + bytes_.size();
      while (at != end && class_of(*at) == kSpace) ++at;
      at_ = static_cast<std::size_t>(at - bytes_.data());
      break;
    }
    case kWord:
      word();
      break;
    case kLineEnd:
      if (stack_.empty()) newline();
      ++at_;
      break;
    case kPunct:
      punctuation(static_cast<char>(c));
      break;
    case kDigit:
      number();
      break;
    case kQuote:
      string(at_, false, false);
      break;
    case kHash:
      at_ = std::min(bytes_.find('\n', at_), bytes_.size());
      break;
    case kSplice:
      splice();
      break;
    default:
      fail("a character that Python does not know", at_);
  }
}

void Scanner::splice() {
  const std::size_t next = at_ + (peek(1) == '\r' ? 2 : 1);
  if (next < bytes_.size() && bytes_[next] == '\n') {
    at_ = next + 1;
  } else {
    fail("a backslash that does not end its line", at_);
  }
}

void Scanner::word() {
  const std::size_t start = at_;
  const char* at = bytes_.data() + start;
  const char* const end = bytes_.data() + bytes_.size();
  char seen = 0;
  while (at != end && kNameBytes[static_cast<unsigned char>(*at)]) seen |= *at++;
  at_ = static_cast<std::size_t>(at - bytes_.data());
  const std::size_t length = at_ - start;
  if (length <= 3 && at != end && (*at == '"' || *at == '\'') && prefix(start, length)) return;
  const std::uint32_t hash = hash_name(bytes_, start, length);
  const std::uint16_t known = find_name(bytes_.substr(start, length), hash);
  const bool statement = (known == kImport || known == kFrom) && at_statement_start();
  Token& token = push(TokenKind::kName, start, length, seen < 0 ? 1 : 0);
  token.link = hash;
  token.name = known;
  if (statement) out_.imports.push_back(index());
}

// r, b, u, f, t and their pairs, in any case.
bool Scanner::prefix(std::size_t start, std::size_t length) {
  bool raw = false;
  bool formatted = false;
  int kinds = 0;
  for (std::size_t i = start; i < start + length; ++i) {
    const char c = static_cast<char>(bytes_[i] | 0x20);
    if (c == 'r' && !raw) {
      raw = true;
    } else if ((c == 'f' || c == 't') && kinds == 0) {
      formatted = true;
      ++kinds;
    } else if ((c == 'b' || (c == 'u' && length == 1)) && kinds == 0) {
      ++kinds;
    } else {
      return false;
    }
  }
  string(start, raw, formatted);
  return true;
}

void Scanner::punctuation(char c) {
  switch (c) {
    case '(':
      return open(')');
    case '[':
      return open(']');
    case '{':
      return open('}');
    case ')':
    case ']':
    case '}':
      return close(c);
    case '.':
      if (kClasses[static_cast<unsigned char>(peek(1))] == kDigit) return number();
      if (peek(1) == '.' && peek(2) == '.') return op(3, kOpOther);
      return op(1, '.');
    case ':':
      if (field_level()) return specification();
      return peek(1) == '=' ? op(2, kOpWalrus) : op(1, ':');
    case '!':
      if (peek(1) == '=') return op(2, kOpCompare);
      return field_level() ? op(1, '!') : fail("a character that Python does not know", at_);
    default:
      return longer(c);
  }
}

void Scanner::longer(char c) {
  const char next = peek(1);
  if (c == '=' && next == '=') return op(2, kOpCompare);
  if (c == '-' && next == '>') return op(2, kOpArrow);
  if ((c == '<' || c == '>' || c == '*' || c == '/') && next == c) {
    return peek(2) == '=' ? op(3, kOpAugmented) : op(2, kOpOther);
  }
  if (c == '<' && next == '>') return op(2, kOpCompare);
  if ((c == '<' || c == '>') && next == '=') return op(2, kOpCompare);
  if (next == '=' && c != '=' && c != '~' && c != ',' && c != ';') return op(2, kOpAugmented);
  op(1, static_cast<std::uint8_t>(c));
}

void Scanner::op(std::size_t length, std::uint8_t value) {
  if (value == '=' && stack_.empty()) out_.assignments.push_back(index() + 1);
  push(TokenKind::kOperator, at_, length, value);
  at_ += length;
}

// Directly inside the braces of a replacement field, so that ':' starts the specification.
bool Scanner::field_level() const {
  return !stack_.empty() && out_.tokens[stack_.back().token].op == 'f' && !stack_.back().spec;
}

void Scanner::specification() {
  if (stack_.size() >= max_nesting_) return deep(at_);
  const Frame field = stack_.back();
  op(1, ':');
  stack_.push_back({field.token, 0, field.quote, field.triple, field.raw, true});
}

void Scanner::open(char closing) {
  if (stack_.size() >= max_nesting_) return deep(at_);
  push(TokenKind::kOpen, at_, 1, static_cast<std::uint8_t>(bytes_[at_]));
  stack_.push_back({index(), closing});
  ++at_;
}

void Scanner::close(char c) {
  if (stack_.empty() || stack_.back().close != c) return fail("an unmatched bracket", at_);
  const std::uint32_t partner = stack_.back().token;
  stack_.pop_back();
  push(TokenKind::kClose, at_, 1, static_cast<std::uint8_t>(c)).link = partner;
  out_.tokens[partner].link = index();
  ++at_;
}

Scan scan(std::string_view bytes, std::size_t max_nesting) {
  return Scanner(bytes, max_nesting).run();
}

}  // namespace langsbx::languages::python
