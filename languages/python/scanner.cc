// The tokenizer: one pass, one explicit stack for brackets and f-strings, no recursion.
#include <algorithm>
#include <array>
#include <cstring>

#include "languages/python/names.h"
#include "languages/python/tokens.h"

namespace langsbx::languages::python {
namespace {

enum Class : std::uint8_t { kBad, kSpace, kWord, kDigit, kQuote, kPunct, kLineEnd, kHash, kSplice };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = kWord;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = kWord;
  for (std::size_t c = 0x80; c < 256; ++c) table[c] = kWord;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = kDigit;
  table['_'] = kWord;
  table[' '] = table['\t'] = table['\f'] = table['\r'] = kSpace;
  table['\n'] = kLineEnd;
  table['"'] = table['\''] = kQuote;
  table['#'] = kHash;
  table['\\'] = kSplice;
  for (const char c : {'(', ')', '[', ']', '{', '}', ',', ':', ';', '.', '=', '+',
                       '-', '*', '/', '%', '&', '|', '^', '~', '<', '>', '@', '!'}) {
    table[static_cast<unsigned char>(c)] = kPunct;
  }
  return table;
}

constexpr auto kClasses = make_classes();

struct Frame {
  std::uint32_t token;  // the opening token
  char close;           // ')' ']' '}', or 0 for an f-string's text
  char quote = 0;       // f-strings: the quote
  bool triple = false;
  bool raw = false;
  bool spec = false;  // inside a format specification: text again, up to '}'
};

class Scanner {
 public:
  Scanner(std::string_view bytes, std::size_t max_nesting)
      : bytes_(bytes), max_nesting_(max_nesting) {}

  Scan run() {
    out_.tokens.reserve(bytes_.size() / 4 + 16);
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

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < bytes_.size() ? bytes_[at_ + ahead] : '\0';
  }

  void fail(const char* why, std::size_t where) {
    if (out_.error != nullptr) return;
    out_.error = why;
    out_.error_offset = where;
  }

  Token& push(TokenKind kind, std::size_t offset, std::size_t length, std::uint8_t op = 0) {
    Token& token = out_.tokens.emplace_back();
    token.offset = static_cast<std::uint32_t>(offset);
    token.length = static_cast<std::uint32_t>(length);
    token.kind = kind;
    token.op = op;
    return token;
  }

  bool at_statement_start() const {
    if (!stack_.empty()) return false;
    if (out_.tokens.empty()) return true;
    const Token& last = out_.tokens.back();
    return last.kind == TokenKind::kNewline ||
           (last.kind == TokenKind::kOperator && (last.op == ';' || last.op == ':'));
  }

  void newline() {
    if (!out_.tokens.empty() && out_.tokens.back().kind != TokenKind::kNewline) {
      push(TokenKind::kNewline, std::min(at_, bytes_.size()), 0);
    }
  }

  void step() {
    const auto c = static_cast<unsigned char>(bytes_[at_]);
    switch (kClasses[c]) {
      case kSpace:
        ++at_;
        break;
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

  void splice() {
    const std::size_t next = at_ + (peek(1) == '\r' ? 2 : 1);
    if (next < bytes_.size() && bytes_[next] == '\n') {
      at_ = next + 1;
    } else {
      fail("a backslash that does not end its line", at_);
    }
  }

  void word() {
    const std::size_t start = at_;
    unsigned char seen = 0;
    while (at_ < bytes_.size()) {
      const auto c = static_cast<unsigned char>(bytes_[at_]);
      const std::uint8_t kind = kClasses[c];
      if (kind != kWord && kind != kDigit) break;
      seen |= c;
      ++at_;
    }
    const std::size_t length = at_ - start;
    if (length <= 3 && at_ < bytes_.size() && (bytes_[at_] == '"' || bytes_[at_] == '\'') &&
        prefix(start, length)) {
      return;
    }
    const std::uint32_t hash = hash_name(bytes_, start, length);
    const bool first = at_statement_start();
    Token& token = push(TokenKind::kName, start, length, seen >= 0x80 ? 1 : 0);
    token.link = hash;
    token.name = find_name(bytes_.substr(start, length), hash);
    if (first && (token.name == kImport || token.name == kFrom)) {
      out_.imports.push_back(static_cast<std::uint32_t>(out_.tokens.size() - 1));
    }
  }

  // r, b, u, f, t and their pairs, in any case.
  bool prefix(std::size_t start, std::size_t length) {
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

  void string(std::size_t start, bool raw, bool formatted) {
    const char quote = bytes_[at_];
    const bool triple = peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    if (formatted) {
      if (stack_.size() >= max_nesting_) return deep(start);
      push(TokenKind::kFString, start, at_ - start, raw ? 'r' : 0);
      stack_.push_back({index(), 0, quote, triple, raw, false});
      return;
    }
    if (!skip_string(quote, triple)) return fail("a string is never closed", start);
    push(TokenKind::kString, start, at_ - start);
  }

  // Moves behind the closing quotes. False when the text or, without triple quotes, the line ends.
  bool skip_string(char quote, bool triple) {
    const char* const begin = bytes_.data();
    while (at_ < bytes_.size()) {
      if (triple) {
        const std::size_t stop = next_of(quote, '\\');
        if (stop >= bytes_.size()) return false;
        at_ = stop;
      }
      const char c = begin[at_];
      if (c == '\\') {
        at_ += peek(1) == '\r' && peek(2) == '\n' ? 3 : 2;
      } else if (c == quote) {
        if (!triple) return ++at_, true;
        if (peek(1) == quote && peek(2) == quote) return at_ += 3, true;
        ++at_;
      } else if (c == '\n' && !triple) {
        return false;
      } else {
        ++at_;
      }
    }
    return false;
  }

  std::size_t next_of(char a, char b) const {
    std::size_t i = at_;
    while (i < bytes_.size() && bytes_[i] != a && bytes_[i] != b) ++i;
    return i;
  }

  std::uint32_t index() const { return static_cast<std::uint32_t>(out_.tokens.size() - 1); }

  void deep(std::size_t where) {
    out_.too_deep = true;
    fail("nested too deeply", where);
  }

  // Literal text of an f-string or of a format specification.
  void text() {
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

  bool closes(const Frame& frame) const {
    return bytes_[at_] == frame.quote &&
           (!frame.triple || (peek(1) == frame.quote && peek(2) == frame.quote));
  }

  void end_text(const Frame& frame) {
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

  void number() {
    const std::size_t start = at_;
    bool point = false;
    while (at_ < bytes_.size()) {
      const auto c = static_cast<unsigned char>(bytes_[at_]);
      if (c == '.' && point) break;
      point = point || c == '.';
      const bool exponent =
          (c == '+' || c == '-') && (bytes_[at_ - 1] | 0x20) == 'e' && at_ > start &&
          !((bytes_[start + 1 < bytes_.size() ? start + 1 : start] | 0x20) == 'x');
      // "1if x": CPython ends the number before the keyword; so do we, as names must be seen.
      if (c != '.' && !exponent && kClasses[c] != kDigit && !number_letter(c, start)) break;
      ++at_;
    }
    push(TokenKind::kNumber, start, at_ - start);
  }

  bool number_letter(unsigned char c, std::size_t start) const {
    const char folded = static_cast<char>(c | 0x20);
    if (c == '_') return true;
    const bool radix = bytes_[start] == '0' && at_ == start + 1;
    if (radix && (folded == 'x' || folded == 'o' || folded == 'b')) return true;
    if (start + 1 < at_ && bytes_[start] == '0' && (bytes_[start + 1] | 0x20) == 'x') {
      return folded >= 'a' && folded <= 'f';
    }
    if (folded == 'j') return true;
    if (folded != 'e') return false;
    const auto next = static_cast<unsigned char>(peek(1));
    const auto after = static_cast<unsigned char>(peek(2));
    return kClasses[next] == kDigit || ((next == '+' || next == '-') && kClasses[after] == kDigit);
  }

  void punctuation(char c) {
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

  void longer(char c) {
    const char next = peek(1);
    if (c == '=' && next == '=') return op(2, kOpCompare);
    if (c == '-' && next == '>') return op(2, kOpArrow);
    if ((c == '<' || c == '>' || c == '*' || c == '/') && next == c) {
      return peek(2) == '=' ? op(3, kOpAugmented) : op(2, kOpOther);
    }
    if (c == '<' && next == '>') return op(2, kOpCompare);
    if ((c == '<' || c == '>') && next == '=') return op(2, kOpCompare);
    if (next == '=' && std::strchr("+-*/%&|^@", c) != nullptr) return op(2, kOpAugmented);
    op(1, static_cast<std::uint8_t>(c));
  }

  void op(std::size_t length, std::uint8_t value) {
    push(TokenKind::kOperator, at_, length, value);
    at_ += length;
  }

  // Directly inside the braces of a replacement field, so that ':' starts the specification.
  bool field_level() const {
    return !stack_.empty() && out_.tokens[stack_.back().token].op == 'f' && !stack_.back().spec;
  }

  void specification() {
    if (stack_.size() >= max_nesting_) return deep(at_);
    const Frame field = stack_.back();
    op(1, ':');
    stack_.push_back({field.token, 0, field.quote, field.triple, field.raw, true});
  }

  void open(char closing) {
    if (stack_.size() >= max_nesting_) return deep(at_);
    push(TokenKind::kOpen, at_, 1, static_cast<std::uint8_t>(bytes_[at_]));
    stack_.push_back({index(), closing});
    ++at_;
  }

  void close(char c) {
    if (stack_.empty() || stack_.back().close != c) return fail("an unmatched bracket", at_);
    const std::uint32_t partner = stack_.back().token;
    stack_.pop_back();
    push(TokenKind::kClose, at_, 1, static_cast<std::uint8_t>(c)).link = partner;
    out_.tokens[partner].link = index();
    ++at_;
  }

  std::string_view bytes_;
  std::size_t max_nesting_;
  std::size_t at_ = 0;
  std::vector<Frame> stack_;
  Scan out_;
};

}  // namespace

Scan scan(std::string_view bytes, std::size_t max_nesting) {
  return Scanner(bytes, max_nesting).run();
}

}  // namespace langsbx::languages::python
