// Comments, line splices, trigraphs and Java's \u: everything that compilers settle before tokens.
#include <algorithm>

#include "languages/scanner/state.h"

namespace langsbx::languages::scanner {
namespace {

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

unsigned hex_value(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

bool merges_as_operator(char c) {
  return std::string_view("/*#:<>%-.=&|+?!^").find(c) != std::string_view::npos;
}

}  // namespace

std::size_t State::line_end(std::size_t from) const {
  const std::size_t end = text_.find('\n', from);
  if (end == std::string_view::npos) return size_;
  return end > from && text_[end - 1] == '\r' ? end - 1 : end;
}

void State::comment(std::size_t start, std::size_t end) {
  out_.comments.push_back({TokenKind::kComment, pending_, 0, static_cast<std::uint32_t>(start),
                           static_cast<std::uint32_t>(end - start)});
  pending_ |= kSpaceBefore;
  pos_ = end;
}

void State::line_comment(std::size_t start) {
  const Line line = read_line(text_, start);
  std::size_t end = line.end;
  bool special = line.special;
  if (end < size_ && end > start && text_[end - 1] == '\r') --end;
  if (dialect_.preprocessor && line.backslash) {
    const std::size_t first = end;
    end = continued_line(start, end);
    special |= end != first;
  }
  comment(start, end);
  if (special) check_line_comment(start, end);
  if (dialect_.text_blocks && line.backslash) check_java_comment(start, end);
}

// A backslash at the end, blanks after it allowed, continues the comment.
std::size_t State::continued_line(std::size_t start, std::size_t end) const {
  for (;;) {
    std::size_t last = end;
    while (last > start && (text_[last - 1] == ' ' || text_[last - 1] == '\t' ||
                            text_[last - 1] == '\v' || text_[last - 1] == '\f')) {
      --last;
    }
    if (end >= size_ || text_[last - 1] != '\\') return end;
    end = line_end(text_.find('\n', end) + 1);
  }
}

void State::check_line_comment(std::size_t start, std::size_t end) {
  const std::string_view body = text_.substr(start, end - start);
  std::size_t cr = body.find('\r');
  while (cr != std::string_view::npos && cr + 1 < body.size() && body[cr + 1] == '\n') {
    cr = body.find('\r', cr + 1);
  }
  if (cr != std::string_view::npos) {
    fault(Fault::kBareCarriageReturn, start + cr, start + cr + 1);
    pos_ = end;
  }
  if (!dialect_.templates) return;
  for (const std::string_view separator : {"\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    const std::size_t at = body.find(separator);
    if (at == std::string_view::npos) continue;
    fault(Fault::kForeignSpace, start + at, start + at + 3);
    pos_ = end;
  }
}

void State::block_comment() {
  const std::size_t start = pos_;
  const char splice = dialect_.preprocessor ? '\\' : '/';
  std::size_t at = start + 2;
  for (;;) {
    at = find_pair(text_, at, '*', '/', splice);
    if (at >= size_) {
      comment(start, size_);
      fault(Fault::kUnterminatedComment, start, size_);
      return;
    }
    ++at;
    if (text_[at] == '/') break;
    std::size_t past = at;  // a backslash: of a line end that glues the two?
    while (splice_end(past) != past) past = splice_end(past);
    if (past != at && peek(past) == '/') {
      fault(Fault::kSpliceInToken, at - 1, past + 1);
      at = past;
      break;
    }
  }
  const std::size_t end = at + 1;
  comment(start, end);
  if (!in_directive_ && find_any(text_.substr(0, end), start, '\n', '\r', '\r') < end) {
    pending_ |= kNewlineBefore;
  }
  if (dialect_.text_blocks) check_java_comment(start, end);
}

void State::nested_comment() {
  const std::size_t start = pos_;
  std::size_t depth = 1;
  std::size_t at = start + 2;
  while (depth > 0) {
    at = find_any(text_, at, '*', '/', '/');
    if (at >= size_) {
      comment(start, size_);
      fault(Fault::kUnterminatedComment, start, size_);
      return;
    }
    const char next = peek(at + 1);
    if (text_[at] == '*' && next == '/') {
      --depth;
      at += 2;
    } else if (text_[at] == '/' && next == '*') {
      ++depth;
      at += 2;
    } else {
      ++at;
    }
  }
  comment(start, at);
  if (text_.substr(start, at - start).find('\n') != std::string_view::npos) {
    pending_ |= kNewlineBefore;
  }
}

std::size_t State::splice_end(std::size_t at) const {
  if (peek(at) != '\\') return at;
  std::size_t next = at + 1;
  while (class_at(next) == CharClass::kSpace) ++next;
  if (peek(next) == '\r') ++next;
  return peek(next) == '\n' ? next + 1 : at;
}

void State::backslash() {
  std::size_t end = dialect_.preprocessor ? splice_end(pos_) : pos_;
  if (end == pos_) {
    return fault(peek(pos_ + 1) == 'u' || peek(pos_ + 1) == 'U' ? Fault::kEscapedIdentifier
                                                                : Fault::kUnknownByte,
                 pos_, pos_ + 1);
  }
  const std::size_t start = pos_;
  while (splice_end(end) != end) end = splice_end(end);
  const char before = start > 0 ? text_[start - 1] : ' ';
  const bool name_before =
      start > 0 && (is_name_part(start - 1) || before == '\'' || before == '.' || before == '"');
  const char after = peek(end);
  const bool name_after = is_name_part(end) || after == '"' || after == '\'' || after == '.';
  if ((name_before && name_after) || (merges_as_operator(before) && merges_as_operator(after)) ||
      after == '\\') {
    fault(Fault::kSpliceInToken, start, end);
  }
  pos_ = end;
  pending_ |= kSpaceBefore;
}

// Java translates \uXXXX before it looks for tokens. Escapes that give a letter, a digit or a
// character outside ASCII leave strings and comments where they are.
bool State::harmless_unicode_escape(std::size_t backslash, bool in_string, std::size_t& end) const {
  std::size_t at = backslash + 1;
  while (peek(at) == 'u') ++at;
  unsigned code = 0;
  for (int i = 0; i < 4; ++i, ++at) {
    if (!is_hex(peek(at))) return false;
    code = code * 16 + hex_value(peek(at));
  }
  end = at;
  if (code >= 0x80 || code == ' ') return true;
  const char c = static_cast<char>(code);
  if (in_string) {  // a NUL or a tab is an ordinary character there; a line end is not
    return code != '\n' && code != '\r' && c != '"' && c != '\'' && c != '\\' && c != 'u';
  }
  // In comments: what neither ends one nor a line. 0x1A is the end of the text to javac.
  return c != '\n' && c != '\r' && c != '\x1A' && c != '*' && c != '/' && c != '\\';
}

void State::check_java_comment(std::size_t start, std::size_t end) {
  const std::string_view seen = text_.substr(0, end);  // a search to the text's end is quadratic
  std::size_t at = seen.find('\\', start);
  while (at != std::string_view::npos) {
    std::size_t next = at + 1;
    if (peek(next) == '\\') {
      ++next;  // an even number of backslashes before it: the second one escapes nothing
    } else if (peek(next) == 'u' && !harmless_unicode_escape(at, false, next)) {
      fault(Fault::kUnicodeEscape, at, at + 2);
      pos_ = end;
    }
    at = seen.find('\\', next);
  }
}

// Trigraphs are on with -std=c11 and off by default: two readings of one text.
void State::report_trigraphs() {
  std::size_t at = text_.find("??");
  while (at != std::string_view::npos) {
    const char third = peek(at + 2);
    if (third != '\0' && std::string_view("=/'()!<>-").find(third) != std::string_view::npos) {
      const auto after = std::upper_bound(
          out_.comments.begin(), out_.comments.end(), at,
          [](std::size_t offset, const Token& token) { return offset < token.offset; });
      const bool in_comment =
          after != out_.comments.begin() && at < (after - 1)->offset + (after - 1)->length;
      if (!in_comment || third == '/') fault(Fault::kTrigraph, at, at + 3);
    }
    at = text_.find("??", at + 1);
  }
}

}  // namespace langsbx::languages::scanner
