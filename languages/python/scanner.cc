// The tokenizer: one pass, one explicit stack for brackets and f-strings, no recursion.
#include "languages/python/scanner.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "languages/byte_blocks.h"
#include "languages/python/names.h"

namespace langsbx::languages::python {

void Tokens::grow(std::size_t room) {
  auto data = std::make_unique_for_overwrite<Token[]>(room);
  const std::size_t kept = size();
  std::copy_n(data_.get(), kept, data.get());
  data_ = std::move(data);
  next_ = data_.get() + kept;
  limit_ = data_.get() + room;
}

Scanner::Scanner(std::string_view bytes, std::size_t max_nesting)
    : copy_(std::make_unique_for_overwrite<char[]>(bytes.size() + kPadding)),
      base_(copy_.get()),
      end_(base_ + bytes.size()),
      max_nesting_(max_nesting) {
  std::copy(bytes.begin(), bytes.end(), copy_.get());
  std::memset(copy_.get() + bytes.size(), 0, kPadding);
  out_.tokens = Tokens(bytes.size() / 4 + 64);
}

Scanner::At Scanner::fail(const char* why, At where) {
  if (out_.error == nullptr) {
    out_.error = why;
    out_.error_offset = offset(where);
  }
  return end_;
}

Scanner::At Scanner::deep(At where) {
  out_.too_deep = true;
  return fail("nested too deeply", where);
}

Scan Scanner::run() {
  At at = base_;
  if (std::memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;
  while (at < end_) {
    at = in_text_ ? text(at) : step(at);
  }
  if (out_.error == nullptr && !stack_.empty()) {
    fail("a bracket or string is never closed", base_ + out_.tokens[stack_.back().token].offset);
  }
  newline(end_);
  push(TokenKind::kEnd, end_, end_);
  return std::move(out_);
}

bool Scanner::at_statement_start() const {
  if (!stack_.empty()) return false;
  if (out_.tokens.empty()) return true;
  const Token& last = out_.tokens.back();
  return last.kind == TokenKind::kNewline ||
         (last.kind == TokenKind::kOperator && (last.op == ';' || last.op == ':'));
}

void Scanner::newline(At at) {
  if (!out_.tokens.empty() && out_.tokens.back().kind != TokenKind::kNewline) {
    push(TokenKind::kNewline, at, at);
  }
}

// Tokens up to the next f-string's text or the end.
Scanner::At Scanner::step(At at) {
  while (true) {
    at += *at == ' ' ? 1 : 0;  // one blank between two tokens is nearly all there are
    switch (class_of(*at)) {
      case kSpace:
        ++at;
        break;
      case kWord:
        at = word(at);
        break;
      case kLineEnd:
        at = line_end(at);
        break;
      case kOpening:
        at = open(at);
        break;
      case kClosing:
        at = close(at);
        break;
      case kSingle:
        at = op(at, 1, static_cast<std::uint8_t>(*at));
        break;
      case kDot:
        at = dot(at);
        break;
      case kColon:
        at = colon(at);
        break;
      case kExclamation:
        at = exclamation(at);
        break;
      case kOperators:
        at = operators(at);
        break;
      case kDigit:
        at = number(at);
        break;
      case kQuote:
        at = string(at, at, false, false);
        break;
      case kHash:
        at = skip_comment(at);
        break;
      case kSplice:
        at = splice(at);
        break;
      default:
        return at >= end_ ? end_ : fail("a character that Python does not know", at);
    }
    if (in_text_) return at;
  }
}

// The end of a line and the indentation of the next.
Scanner::At Scanner::line_end(At at) {
  if (stack_.empty()) newline(at);
  ++at;
  while (true) {
    const std::size_t blanks = first_of(~Block(at).equal(' ', '\n', '\r') & 0xFFFFU);
    at += blanks;
    if (blanks < kBlock) return at;
  }
}

Scanner::At Scanner::skip_comment(At at) {
  while (true) {
    const std::size_t ahead = first_of(Block(at).equal('\n', '\0'));
    at += ahead;
    if (ahead < kBlock) return at;
  }
}

Scanner::At Scanner::splice(At at) {
  const At next = at + (at[1] == '\r' ? 2 : 1);
  return *next == '\n' ? next + 1 : fail("a backslash that does not end its line", at);
}

Scanner::At Scanner::word(At start) {
  const Block block(start);
  const std::size_t length = first_of(~block.name() & 0xFFFFU);
  if (length == kBlock) return long_word(start);
  const std::uint32_t high = block.high() & ((1U << length) - 1);
  if (length < 3 && class_of(start[length]) == kQuote) {
    if (const At behind = prefixed(start, start + length)) return behind;
  }
  return name(start, length, high != 0);
}

// A name of sixteen bytes and more.
Scanner::At Scanner::long_word(At start) {
  std::size_t length = kBlock;
  bool high = Block(start).high() != 0;
  while (true) {
    const Block more(start + length);
    const std::size_t last = first_of(~more.name() & 0xFFFFU);
    high = high || (more.high() & ((1U << last) - 1)) != 0;
    length += last;
    if (last < kBlock) return name(start, length, high);
  }
}

// Where imports begin, and loops in brackets.
void Scanner::keyword(std::uint16_t known) {
  if ((known == kImport || known == kFrom) && at_statement_start()) {
    out_.imports.push_back(index() + 1);
  } else if (known == kFor && !stack_.empty()) {
    out_.loops.push_back({stack_.back().token, index() + 1});
  }
}

inline Scanner::At Scanner::name(At start, std::size_t length, bool high) {
  const NameKey key = name_key_padded(start, length);
  const std::uint32_t hash = key.hash();
  const std::uint16_t known = find_name({start, length}, key, hash);
  if (known != 0 && known <= kFor) keyword(known);
  const int marks = (high ? kMarkDisguise : 0) | (*start == '_' ? kMarkUnderscore : 0);
  out_.tokens.push({offset(start), static_cast<std::uint32_t>(length), TokenKind::kName,
                    static_cast<std::uint8_t>(marks), known, hash});
  return start + length;
}

// r, b, u, f, t and their pairs, in any case, before a quote; null when it is none of them.
Scanner::At Scanner::prefixed(At from, At to) {
  bool raw = false;
  bool formatted = false;
  int kinds = 0;
  for (At at = from; at < to; ++at) {
    const char c = static_cast<char>(*at | 0x20);
    if (c == 'r' && !raw) {
      raw = true;
    } else if ((c == 'f' || c == 't') && kinds == 0) {
      formatted = true;
      ++kinds;
    } else if ((c == 'b' || (c == 'u' && to - from == 1)) && kinds == 0) {
      ++kinds;
    } else {
      return nullptr;
    }
  }
  return string(from, to, raw, formatted);
}

Scanner::At Scanner::dot(At at) {
  if (class_of(at[1]) == kDigit) return long_number(at);
  return at[1] == '.' && at[2] == '.' ? op(at, 3, kOpOther) : op(at, 1, '.');
}

Scanner::At Scanner::colon(At at) {
  if (field_level()) return specification(at);
  return at[1] == '=' ? op(at, 2, kOpWalrus) : op(at, 1, ':');
}

Scanner::At Scanner::exclamation(At at) {
  if (at[1] == '=') return op(at, 2, kOpCompare);
  return field_level() ? op(at, 1, '!') : fail("a character that Python does not know", at);
}

Scanner::At Scanner::operators(At at) {
  const char c = *at;
  const char next = at[1];
  if (c == '=') {
    if (next == '=') return op(at, 2, kOpCompare);
    if (stack_.empty()) out_.assignments.push_back(index() + 1);
    return op(at, 1, '=');
  }
  if (c == '-' && next == '>') return op(at, 2, kOpArrow);
  if ((c == '<' || c == '>' || c == '*' || c == '/') && next == c) {
    return at[2] == '=' ? op(at, 3, kOpAugmented) : op(at, 2, kOpOther);
  }
  if (c == '<' && next == '>') return op(at, 2, kOpCompare);
  if ((c == '<' || c == '>') && next == '=') return op(at, 2, kOpCompare);
  if (next == '=') return op(at, 2, kOpAugmented);
  return op(at, 1, static_cast<std::uint8_t>(c));
}

// ':' directly inside the braces of a replacement field.
Scanner::At Scanner::specification(At at) {
  if (stack_.size() >= max_nesting_) return deep(at);
  const Frame field = stack_.back();
  const At next = op(at, 1, ':');
  stack_.push_back({field.token, 0, field.quote, field.triple, field.raw, true, false});
  in_text_ = true;
  return next;
}

Scanner::At Scanner::open(At at) {
  if (stack_.size() >= max_nesting_) return deep(at);
  push(TokenKind::kOpen, at, at + 1, static_cast<std::uint8_t>(*at));
  const char closing = *at == '(' ? ')' : static_cast<char>(*at + 2);
  stack_.push_back({index(), closing});
  return at + 1;
}

Scanner::At Scanner::close(At at) {
  if (stack_.empty() || stack_.back().close != *at) return fail("an unmatched bracket", at);
  const std::uint32_t partner = stack_.back().token;
  stack_.pop_back();
  in_text_ = !stack_.empty() && stack_.back().close == 0;
  push(TokenKind::kClose, at, at + 1, static_cast<std::uint8_t>(*at)).link = partner;
  out_.tokens[partner].link = index();
  return at + 1;
}

Scan scan(std::string_view bytes, std::size_t max_nesting) {
  return Scanner(bytes, max_nesting).run();
}

}  // namespace langsbx::languages::python
