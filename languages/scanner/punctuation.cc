// Operators, brackets, directives, and what a slash means in JavaScript.

#include "languages/scanner/state.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::scanner {
namespace {

// Names after which an operand follows, so a slash begins a regular expression.
constexpr auto kBeforeOperand =
    text_list("return", "typeof", "case", "do", "else", "in", "instanceof", "new", "void", "delete",
              "throw", "extends", "default", "export");
// Names that are operators in some functions and plain variables in others.
constexpr auto kContextual = text_list("yield", "await", "of", "async", "let");
constexpr auto kParenthesisHeads = text_list("if", "while", "for", "with");

char closer_of(Symbol open) { return static_cast<char>(open == '(' ? open + 1 : open + 2); }

// The operator of two characters that begins here; 0 where there is none.
Symbol two_characters(char first, char second, const Dialect& dialect) {
  const auto next = static_cast<unsigned char>(second);
  const auto& seconds = dialect.pairs[static_cast<unsigned char>(first)];
  return next == seconds[0] || next == seconds[1] ? pair(first, second) : Symbol{0};
}

}  // namespace

void State::punctuation() {
  const char c = text_[pos_];
  const char next = peek(pos_ + 1);
  if (dialect_.preprocessor) {
    if (c == '#' && next != '#' && (pending_ & kNewlineBefore) != 0) return directive(1, 0);
    if (header_next_ && c == '<') return header_name();
    if ((c == '<' || c == '%' || c == ':') && digraph()) return;
  }
  if (dialect_.templates && (c == '<' || c == '-') && html_comment()) return;
  Symbol symbol = two_characters(c, next, dialect_);
  if (symbol == kOptionalChain && peek(pos_ + 2) >= '0' && peek(pos_ + 2) <= '9') symbol = 0;
  if (symbol == 0) {
    const bool marked = dialect_.templates ? c == '=' : c == '#' || c == '$';
    if (dialect_.mark_symbols && marked) mark(out_.size());
    emit(TokenKind::kPunctuation, pos_, pos_ + 1,
         static_cast<Symbol>(static_cast<unsigned char>(c)));
    return;
  }
  if (symbol == kScope && dialect_.mark_qualifiers) mark_name_before();
  if (symbol == kPaste) mark(out_.size());
  const bool three =
      dialect_.templates && (symbol == kEqual || symbol == kNotEqual) && peek(pos_ + 2) == '=';
  emit(TokenKind::kPunctuation, pos_, pos_ + (three ? 3 : 2), symbol);
}

bool State::digraph() {
  const char c = text_[pos_];
  const char next = peek(pos_ + 1);
  if (c == '<' && next == ':') {
    // C++: "<::" not followed by ":" or ">" is "<" and "::".
    if (dialect_.cpp && peek(pos_ + 2) == ':' && peek(pos_ + 3) != ':' && peek(pos_ + 3) != '>') {
      emit(TokenKind::kPunctuation, pos_, pos_ + 1, '<');
      return true;
    }
    open_bracket('[', 2, kDigraph);
  } else if (c == '<' && next == '%') {
    open_bracket('{', 2, kDigraph);
  } else if (c == ':' && next == '>') {
    close_bracket(']', 2, kDigraph);
  } else if (c == '%' && next == '>') {
    close_bracket('}', 2, kDigraph);
  } else if (c == '%' && next == ':') {
    if (peek(pos_ + 2) == '%' && peek(pos_ + 3) == ':') {
      mark(out_.size());
      emit(TokenKind::kPunctuation, pos_, pos_ + 4, kPaste).flags |= kDigraph;
    } else if ((pending_ & kNewlineBefore) != 0) {
      directive(2, kDigraph);
    } else {
      emit(TokenKind::kPunctuation, pos_, pos_ + 2, '#').flags |= kDigraph;
    }
  } else {
    return false;
  }
  return true;
}

void State::directive(std::size_t length, std::uint8_t flags) {
  in_directive_ = true;
  mark(out_.size());
  emit(TokenKind::kDirective, pos_, pos_ + length, '#', flags);
}

// Scripts take "<!--" and a leading "-->" as comments to the line's end, modules do not.
bool State::html_comment() {
  const std::string_view rest = text_.substr(pos_, 4);
  if (rest == "<!--") {
    fault(Fault::kHtmlComment, pos_, pos_ + 4);
    return true;
  }
  if (rest.starts_with("-->") && (pending_ & kNewlineBefore) != 0) {
    fault(Fault::kHtmlComment, pos_, pos_ + 3);
    return true;
  }
  return false;
}

void State::mark_name_before() {
  const std::size_t count = out_.size();
  if (out_.at(count - 1).kind == TokenKind::kIdentifier) mark(count - 1);
}

void State::dot() {
  const char next = peek(pos_ + 1);
  if (next >= '0' && next <= '9') {
    const bool member = dialect_.lifetimes;  // Rust: t.0 is a field
    if (!member) return number();
  }
  if (dialect_.mark_qualifiers && !dialect_.lifetimes) mark_name_before();
  std::size_t length = 1;
  if (next == '.' && (dialect_.lifetimes || peek(pos_ + 2) == '.')) {
    length = peek(pos_ + 2) == '.' ? 3 : 2;
  }
  emit(TokenKind::kPunctuation, pos_, pos_ + length,
       length == 1 ? static_cast<Symbol>('.') : kEllipsis);
}

void State::slash() {
  const char next = peek(pos_ + 1);
  if (next == '/') return line_comment(pos_);
  if (next == '*') return dialect_.nested_comments ? nested_comment() : block_comment();
  if (dialect_.templates) {
    const Opened role = slash_role();
    if (role == Opened::kStatement) return regex();
    if (role == Opened::kUnclear) return fault(Fault::kAmbiguousSlash, pos_, pos_ + 1);
  }
  emit(TokenKind::kPunctuation, pos_, pos_ + 1, '/');
}

// Once is enough: what follows can't be matched any more.
void State::too_deep(std::size_t start, std::size_t end) {
  fault(Fault::kTooDeep, start, end);
  pos_ = size_;
  innermost_ = kNoToken;
  depth_ = 0;
}

void State::open_bracket(char c, std::size_t length, std::uint8_t flags) {
  if (dialect_.balanced) {
    if (depth_ >= max_nesting_) return too_deep(pos_, pos_ + 1);
    open_pair(out_.size());
    if (dialect_.mark_symbols && c == (dialect_.lifetimes ? '{' : '[')) mark(out_.size());
  } else if (c == '[' && out_.at(out_.size() - 1).is('[')) {
    mark(out_.size() - 1);  // an attribute
  } else if (c == '(' && out_.at(out_.size() - 1).is(')') &&
             (out_.at(out_.size() - 2).is('*') || out_.at(out_.size() - 3).is('*'))) {
    mark(out_.size());  // (*)( of a cast to a function, (*name)( of a pointer to one
  }
  emit(TokenKind::kPunctuation, pos_, pos_ + length, static_cast<Symbol>(c), flags | kOpens);
}

void State::close_bracket(char c, std::size_t length, std::uint8_t flags) {
  if (dialect_.balanced) {
    const Token& opener =
        out_.at(innermost_ == kNoToken ? kNoToken : out_.brackets[innermost_].open);
    const bool hole = opener.kind == TokenKind::kTemplate;
    if (innermost_ == kNoToken || c != (hole ? '}' : closer_of(opener.symbol))) {
      return fault(Fault::kUnbalancedBracket, pos_, pos_ + length);
    }
    Bracket& closed = out_.brackets[innermost_];
    closed.close = static_cast<std::uint32_t>(out_.size());
    if (closed.outer == kNoToken) out_.blocks.emplace_back(closed.open, closed.close);
    last_closed_ = innermost_;
    innermost_ = closed.outer;
    --depth_;
    if (dialect_.mark_symbols && c == '}' && dialect_.lifetimes) mark(out_.size());
    if (hole) return template_piece(pos_);
  }
  emit(TokenKind::kPunctuation, pos_, pos_ + length, static_cast<Symbol>(c), flags | kCloses);
}

// What a slash after the partner of this bracket would be. Asked at slashes only: they are few.
Opened State::role_of(std::uint32_t bracket) const {
  const Token& open = out_.at(out_.brackets[bracket].open);
  if (open.is('[')) return Opened::kOperand;
  return open.is('(') ? parenthesis_role(out_.brackets[bracket].open) : brace_role(bracket);
}

Opened State::parenthesis_role(std::size_t open) const {
  const std::size_t last = open - 1;  // wraps when there is none: at() then gives kEnd
  if (out_.at(last).kind != TokenKind::kIdentifier) return Opened::kOperand;
  if (out_.at(last - 1).is('.') || out_.at(last - 1).is(kOptionalChain)) return Opened::kOperand;
  if (kParenthesisHeads.contains(out_.text(last))) return Opened::kStatement;
  const bool for_await = out_.is_name(last, "await") && out_.is_name(last - 1, "for");
  return for_await ? Opened::kStatement : Opened::kOperand;
}

Opened State::brace_role(std::uint32_t brace) const {
  const std::size_t open = out_.brackets[brace].open;
  const std::size_t last = open - 1;  // wraps when there is none
  const Token& before = out_.at(last);
  switch (before.kind) {
    case TokenKind::kEnd:
      return Opened::kStatement;
    case TokenKind::kIdentifier: {
      const std::string_view name = out_.text(before);
      if (out_.at(last - 1).is('.')) return Opened::kUnclear;
      if (name == "else" || name == "do" || name == "try" || name == "finally") {
        return Opened::kStatement;
      }
      const bool expression = name == "return" || name == "typeof" || name == "in" || name == "of";
      return expression && !out_.at(open).has(kNewlineBefore) ? Opened::kOperand : Opened::kUnclear;
    }
    case TokenKind::kPunctuation:
      if (before.is(')')) {  // it was open when the last bracket before this one opened
        std::uint32_t head = brace == 0 ? kNoToken : brace - 1;
        while (head != kNoToken && out_.brackets[head].close != last) {
          head = out_.brackets[head].outer;
        }
        if (head == kNoToken) return Opened::kUnclear;
        return parenthesis_role(out_.brackets[head].open) == Opened::kStatement ? Opened::kStatement
                                                                                : Opened::kUnclear;
      }
      if (before.is(';') || before.is('{') || before.is(kFatArrow)) return Opened::kStatement;
      if (before.is('}') || before.is(':') || before.is(']') || before.is('>')) {
        return Opened::kUnclear;
      }
      return Opened::kOperand;
    default:
      return Opened::kUnclear;
  }
}

Opened State::slash_role() const {
  const std::size_t last = out_.size() - 1;
  const Token& before = out_.at(last);
  if (before.kind == TokenKind::kEnd) return Opened::kStatement;
  if (before.kind == TokenKind::kIdentifier) {
    const std::string_view name = out_.text(before);
    if (out_.at(last - 1).is('.') || out_.at(last - 1).is(kOptionalChain)) return Opened::kOperand;
    if (kBeforeOperand.contains(name)) return Opened::kStatement;
    return kContextual.contains(name) ? Opened::kUnclear : Opened::kOperand;
  }
  if (before.kind == TokenKind::kTemplate) {
    return out_.text(before).ends_with("${") ? Opened::kStatement : Opened::kOperand;
  }
  if (before.kind != TokenKind::kPunctuation) return Opened::kOperand;
  if (before.is(')') || before.is('}')) return role_of(last_closed_);
  if (before.is(']')) return Opened::kOperand;
  const Token& earlier = out_.at(last - 1);
  const bool operand_before = earlier.kind == TokenKind::kIdentifier || earlier.is(')') ||
                              earlier.is(']') || earlier.is('}');
  if (before.is(kIncrement) || before.is(kDecrement) || (before.is('!') && dialect_.typescript)) {
    return !operand_before || before.has(kNewlineBefore) ? Opened::kStatement
           : earlier.is('}') || (earlier.kind == TokenKind::kIdentifier &&
                                 kBeforeOperand.contains(out_.text(earlier)))
               ? Opened::kUnclear
               : Opened::kOperand;
  }
  return Opened::kStatement;
}

}  // namespace langsbx::languages::scanner
