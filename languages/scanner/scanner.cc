// Names, numbers and line ends; how a scan begins and ends.
#include "languages/scanner/scanner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "languages/scanner/state.h"
#include "languages/unicode.h"

namespace langsbx::languages::scanner {
namespace {

constexpr std::size_t kMaxSize = 0x7fffffff;  // offsets are 32 bits wide

bool is_hex_prefix(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X');
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Characters that some compiler takes as white space, or drops from a name.
bool is_foreign_space(std::uint32_t code) {
  return code < 0xA1 || code == 0xAD || code == 0x61C || code == 0x1680 || code == 0x180E ||
         (code >= 0x600 && code <= 0x605) || code == 0x6DD || code == 0x70F || code == 0x8E2 ||
         (code >= 0x2000 && code <= 0x206F) || code == 0x212A || code == 0x3000 || code == 0xFEFF ||
         (code >= 0xFFF0 && code <= 0xFFFF) || code == 0x37E || code == 0x1FEF || code == 0x110BD ||
         (code >= 0x1D173 && code <= 0x1D17A) || code >= 0xE0000;
}

}  // namespace

std::string_view to_string(Fault fault) {
  switch (fault) {
    case Fault::kUnknownByte:
      return "a character the language has no use for";
    case Fault::kUnterminatedString:
      return "a string or character literal that does not end";
    case Fault::kUnterminatedComment:
      return "a comment that does not end";
    case Fault::kUnterminatedRegex:
      return "a regular expression that does not end";
    case Fault::kUnbalancedBracket:
      return "a bracket without its partner";
    case Fault::kTooDeep:
      return "brackets nested too deeply";
    case Fault::kTooLarge:
      return "more source than can be read";
    case Fault::kBareCarriageReturn:
      return "a carriage return without a line feed";
    case Fault::kEscapedIdentifier:
      return "an escape outside a literal";
    case Fault::kForeignSpace:
      return "an invisible or non-ASCII blank between tokens";
    case Fault::kInvalidUtf8:
      return "bytes that are not UTF-8";
    case Fault::kAmbiguousSlash:
      return "a slash that may be a division or a regular expression";
    case Fault::kHtmlComment:
      return "an HTML-like comment";
    case Fault::kSpliceInToken:
      return "a backslash at a line end that glues two tokens";
    case Fault::kTrigraph:
      return "a trigraph";
    case Fault::kAmbiguousLiteral:
      return "a literal whose end depends on the language version";
    case Fault::kUnicodeEscape:
      return "a \\u escape that changes how the source is read";
  }
  return "not understood";
}

Scan scan(std::string_view bytes, const Dialect& dialect, std::size_t max_nesting,
          const WordFilter& words) {
  if (bytes.size() > kMaxSize) {
    Scan out;
    out.bytes = bytes;
    out.tokens.push({TokenKind::kError, 0, static_cast<Symbol>(Fault::kTooLarge), 0, 0});
    out.errors = 1;
    return out;
  }
  return State(bytes, dialect, max_nesting, words).run();
}

State::State(std::string_view bytes, const Dialect& dialect, std::size_t max_nesting,
             const WordFilter& words)
    : text_(bytes),
      size_(bytes.size()),
      dialect_(dialect),
      words_(words),
      max_nesting_(max_nesting) {
  out_.bytes = bytes;
  out_.marks.reserve(bytes.size() / 16 + 16);
  out_.tokens.reserve(bytes.size() / 4 + 64);
  if (dialect.balanced) out_.brackets.reserve(bytes.size() / 32 + 16);
}

void State::fault(Fault fault, std::size_t start, std::size_t end) {
  end = std::min(end, size_);  // an escape may be the last byte
  emit(TokenKind::kError, start, end, static_cast<Symbol>(fault));
  ++out_.errors;
}

// A "#!" line, and the byte-order mark that compilers skip at the very start and nowhere else.
void State::prologue() {
  const bool shebang = text_.starts_with("#!") && !dialect_.preprocessor &&
                       !(dialect_.lifetimes && text_.starts_with("#!["));
  if (shebang) {
    if (dialect_.templates || dialect_.lifetimes) {
      comment(0, line_end(0));
    } else {
      fault(Fault::kUnknownByte, 0, 2);
    }
  }
  if (!text_.starts_with("\xEF\xBB\xBF")) return;
  pos_ = 3;
  // Node takes the line as a comment, the kernel as no "#!" line at all.
  if (text_.substr(3).starts_with("#!")) fault(Fault::kUnknownByte, 3, 5);
}

void State::newline() {
  if (text_[pos_] == '\r' && peek(pos_ + 1) != '\n') {
    pending_ |= kNewlineBefore | kSpaceBefore;
    return fault(Fault::kBareCarriageReturn, pos_, pos_ + 1);
  }
  pos_ = end_of_blanks(text_, pos_ + (text_[pos_] == '\r' ? 2 : 1));
  pending_ |= kNewlineBefore | kSpaceBefore;
  in_directive_ = false;
  header_next_ = false;
}

[[gnu::always_inline]] inline void State::finish_identifier(std::size_t start, std::size_t end,
                                                            unsigned flags) {
  const std::uint16_t hash = name_hash(text_, start, end);
  const char first = text_[start];
  emit(TokenKind::kIdentifier, start, end, hash, flags);
  if (words_.may_hold(hash) || (first >= dialect_.mark_from && first <= dialect_.mark_to)) {
    // Behind a dot stands a member: what it is called counts only as a word.
    const bool member = start > 1 && text_[start - 1] == '.' && text_[start - 2] != '.';
    if (words_.may_hold(hash) || !member) mark_last();
  }
  if (in_directive_) directive_word(start);
}

// A name after #include, or one that asks for a header, is followed by <header>.
void State::directive_word(std::size_t start) {
  const std::string_view name = text_.substr(start, pos_ - start);
  const bool first = out_.at(out_.size() - 2).kind == TokenKind::kDirective;
  header_next_ = (first && (name == "include" || name == "include_next" || name == "import" ||
                            name == "embed")) ||
                 name == "__has_include" || name == "__has_include_next" || name == "__has_embed";
}

// The name from `start` to `end` has something behind it that may belong to it. False: it has not.
bool State::special_identifier(std::size_t start, std::size_t end) {
  if (class_at(end) == CharClass::kHigh) {
    foreign_identifier(start, end);
    return true;
  }
  pos_ = end;
  return prefixed_literal(start);
}

// A name with characters outside ASCII from `at` on.
void State::foreign_identifier(std::size_t start, std::size_t at) {
  pos_ = name_end(at);
  const bool foreign = pos_ > at;
  out_.non_ascii |= foreign;
  const CharClass next = class_at(pos_);
  if ((next == CharClass::kDoubleQuote || next == CharClass::kSingleQuote) &&
      prefixed_literal(start)) {
    return;
  }
  finish_identifier(start, pos_, foreign ? kNonAscii : 0U);
}

Scan State::run() {
  prologue();
  scan_all();
  std::vector<std::uint32_t> open;
  for (std::uint32_t at = innermost_; at != kNoToken; at = out_.brackets[at].outer) {
    open.push_back(out_.brackets[at].open);
  }
  for (auto token = open.rbegin(); token != open.rend(); ++token) {
    const Token& last = out_.at(*token);  // of a template's piece the { at its end
    const std::size_t at = std::size_t{last.offset} + last.length - 1;
    fault(Fault::kUnbalancedBracket, at, at + 1);
  }
  if (dialect_.preprocessor) report_trigraphs();
  return std::move(out_);
}

// The end of the run of name characters from `at`.
std::size_t State::name_end(std::size_t at) {
  while (is_name_part(at)) {
    const std::size_t length = class_at(at) == CharClass::kHigh ? foreign_name_part(at) : 1;
    if (length == 0) break;
    at += length;
  }
  return at;
}

std::size_t State::foreign_name_part(std::size_t at) {
  const CodePoint code = decode_utf8(text_, at);
  return code.length == 0 || is_foreign_space(code.value) ? 0 : code.length;
}

void State::foreign_character() {
  if (foreign_name_part(pos_) != 0) return foreign_identifier(pos_, pos_);
  const CodePoint code = decode_utf8(text_, pos_);
  if (code.length == 0) return fault(Fault::kInvalidUtf8, pos_, pos_ + 1);
  fault(Fault::kForeignSpace, pos_, pos_ + code.length);
}

void State::number() {
  // ((void (*)())0x1234)(): what stands there may be called.
  if (dialect_.preprocessor && out_.at(out_.size() - 1).is(')')) mark(out_.size());
  if (class_at(pos_) == CharClass::kDigit) {  // most are one or two digits
    std::size_t end = pos_ + 1;
    while (is_digit(peek(end))) ++end;
    const CharClass next = class_at(end);
    const bool plain = next == CharClass::kClose || next == CharClass::kSingle ||
                       next == CharClass::kSpace || next == CharClass::kNewline;
    if (plain) {
      emit(TokenKind::kNumber, pos_, end);
      return;
    }
  }
  const std::size_t end = dialect_.templates   ? javascript_number_end(pos_)
                          : dialect_.lifetimes ? rust_number_end(pos_)
                                               : number_end(pos_);
  const bool split_by_quote =
      dialect_.preprocessor && !dialect_.cpp && peek(end) == '\'' && is_name_part(end + 1);
  emit(TokenKind::kNumber, pos_, end);
  // C23 takes 1'000 as one number, C17 starts a character literal there.
  if (split_by_quote) fault(Fault::kAmbiguousLiteral, end, end + 1);
}

// C and C++ preprocessing numbers; Java's and Go's are the same but for hexadecimal 0x1e+3.
std::size_t State::number_end(std::size_t at) const {
  const bool hex = is_hex_prefix(text_, at) && !dialect_.preprocessor;
  for (;;) {
    const char c = peek(at);
    if (class_at(at) == CharClass::kIdentifier || is_digit(c) || c == '.') {
      if (c == '.' && !dialect_.preprocessor && peek(at + 1) == '.') return at;
      ++at;
      const bool decimal_exponent = (c == 'e' || c == 'E') && !hex;
      const bool binary_exponent = (c == 'p' || c == 'P') && (hex || dialect_.preprocessor);
      if ((decimal_exponent || binary_exponent) && (peek(at) == '+' || peek(at) == '-')) ++at;
    } else if (c == '\'' && dialect_.cpp && is_name_part(at + 1)) {
      at += 2;
    } else {
      return at;
    }
  }
}

std::size_t State::javascript_number_end(std::size_t at) const {
  if (peek(at) == '0' && class_at(at + 1) == CharClass::kIdentifier && peek(at + 1) != 'e' &&
      peek(at + 1) != 'E') {
    ++at;
    while (class_at(at) == CharClass::kIdentifier || is_digit(peek(at))) ++at;
    return at;
  }
  const std::size_t start = at;
  bool octal = peek(at) == '0' && is_digit(peek(at + 1));
  while (is_digit(peek(at)) || (peek(at) == '_' && at > start)) {
    octal = octal && peek(at) < '8';
    ++at;
  }
  if (peek(at) == 'n') return at + 1;
  if (peek(at) == '.' && !octal) {
    ++at;
    while (is_digit(peek(at)) || (peek(at) == '_' && is_digit(peek(at - 1)))) ++at;
  }
  if (peek(at) == 'e' || peek(at) == 'E') {
    std::size_t exponent = at + 1;
    if (peek(exponent) == '+' || peek(exponent) == '-') ++exponent;
    if (is_digit(peek(exponent))) {
      at = exponent;
      while (is_digit(peek(at)) || peek(at) == '_') ++at;
    }
  }
  return at;
}

std::size_t State::rust_number_end(std::size_t at) const {
  const bool radix =
      peek(at) == '0' && (peek(at + 1) == 'x' || peek(at + 1) == 'o' || peek(at + 1) == 'b');
  if (!radix) {
    while (is_digit(peek(at)) || peek(at) == '_') ++at;
    if (peek(at) == '.' && peek(at + 1) != '.' && class_at(at + 1) != CharClass::kIdentifier &&
        class_at(at + 1) != CharClass::kHigh) {
      ++at;
      while (is_digit(peek(at)) || (peek(at) == '_' && is_digit(peek(at - 1)))) ++at;
    }
    if (peek(at) == 'e' || peek(at) == 'E') {
      std::size_t exponent = at + 1;
      if (peek(exponent) == '+' || peek(exponent) == '-') ++exponent;
      while (peek(exponent) == '_') ++exponent;
      if (is_digit(peek(exponent))) at = exponent;
    }
  }
  while (class_at(at) == CharClass::kIdentifier || is_digit(peek(at))) ++at;
  return at;
}

}  // namespace langsbx::languages::scanner
