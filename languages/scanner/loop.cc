// The main loop. It is made once a dialect, so that what the dialect has not costs nothing, and
// keeps the position in registers; what is rare goes to the functions of State.
#include "languages/scanner/state.h"

namespace langsbx::languages::scanner {

template <const Dialect& kDialect>
class Loop {
 public:
  explicit Loop(State& state)
      : state_(state), text_(state.text_), size_(state.size_), words_(state.words_) {
    enter();
  }

  void run() {
    while (pos_ < size_) {
      const char c = text_[pos_];
      const CharClass kind = kDialect.table[static_cast<unsigned char>(c)];
      switch (kind) {
        case CharClass::kSpace:
          blanks();
          break;
        case CharClass::kNewline:
          newline(c);
          break;
        case CharClass::kIdentifier:
          name();
          break;
        case CharClass::kDigit:
          digits();
          break;
        case CharClass::kSingle:
          emit(TokenKind::kPunctuation, 1, static_cast<Symbol>(c));
          break;
        case CharClass::kPunctuation:
          punctuation(c);
          break;
        case CharClass::kOpen:
          open(c);
          break;
        case CharClass::kClose:
          close(c);
          break;
        case CharClass::kDot:
          dot();
          break;
        default:
          leave();
          state_.rare_character(kind);
          enter();
      }
      // One stands behind most tokens: a round of the loop, and a guess of the processor, less.
      const bool blank = pos_ < size_ && text_[pos_] == ' ';
      pos_ += blank ? 1 : 0;
      pending_ |= blank ? kSpaceBefore : 0U;
    }
    leave();
  }

 private:
  // State's members are written as the loop goes on: everything the loop keeps is told and asked.
  [[gnu::always_inline]] void leave() {
    state_.pos_ = pos_;
    state_.pending_ = static_cast<std::uint8_t>(pending_);
  }
  [[gnu::always_inline]] void enter() {
    pos_ = state_.pos_;
    pending_ = state_.pending_;
    if constexpr (kDialect.preprocessor) directive_ = state_.in_directive_ ? kInDirective : 0U;
  }

  [[gnu::always_inline]] char peek(std::size_t at) const { return at < size_ ? text_[at] : '\0'; }
  [[gnu::always_inline]] std::size_t count() const { return state_.out_.tokens.size(); }
  [[gnu::always_inline]] void mark(std::size_t token) { state_.mark(token); }

  [[gnu::always_inline]] void emit(TokenKind kind, std::size_t length, Symbol symbol,
                                   unsigned flags = 0) {
    const unsigned all = pending_ | flags | directive_;
    state_.out_.tokens.push({kind, static_cast<std::uint8_t>(all), symbol,
                             static_cast<std::uint32_t>(pos_), static_cast<std::uint32_t>(length)});
    pos_ += length;
    pending_ = 0;
  }

  [[gnu::always_inline]] void blanks() {
    ++pos_;
    if (pos_ < size_ && (text_[pos_] == ' ' || text_[pos_] == '\t')) {
      pos_ = end_of_blanks(text_, pos_);
    }
    pending_ |= kSpaceBefore;
  }

  [[gnu::always_inline]] void newline(char c) {
    if (c != '\n') [[unlikely]] {
      leave();
      state_.newline();
      return enter();
    }
    pos_ = end_of_blanks(text_, pos_ + 1);
    pending_ |= kNewlineBefore | kSpaceBefore;
    if constexpr (kDialect.preprocessor) {
      directive_ = 0;
      state_.in_directive_ = false;
      state_.header_next_ = false;
    }
  }

  [[gnu::always_inline]] void name() {
    const std::size_t start = pos_;
    const std::size_t end = end_of_name(text_, start, kDialect.name_extra);
    if (end < size_) [[likely]] {
      const CharClass next = kDialect.table[static_cast<unsigned char>(text_[end])];
      if (next == CharClass::kHigh || next == CharClass::kDoubleQuote ||
          next == CharClass::kSingleQuote || (kDialect.lifetimes && text_[end] == '#')) {
        leave();
        const bool done = state_.special_identifier(start, end);
        enter();
        if (done) return;
        pos_ = start;
      }
    }
    const std::uint16_t hash = name_hash(text_, start, end);
    emit(TokenKind::kIdentifier, end - start, hash);
    if (words_.may_hold(hash)) {
      mark(count() - 1);
    } else if constexpr (kDialect.mark_from <= kDialect.mark_to) {
      // Behind a dot stands a member: what it is called counts only as a word.
      const bool member = start > 1 && text_[start - 1] == '.' && text_[start - 2] != '.';
      const char first = text_[start];
      if (first >= kDialect.mark_from && first <= kDialect.mark_to && !member) mark(count() - 1);
    }
    if constexpr (kDialect.preprocessor) {
      if (directive_ == 0) return;
      leave();
      state_.directive_word(start);
    }
  }

  [[gnu::always_inline]] void digits() {
    std::size_t end = pos_ + 1;  // most are one or two digits
    while (end < size_ && text_[end] >= '0' && text_[end] <= '9') ++end;
    const CharClass next =
        end < size_ ? kDialect.table[static_cast<unsigned char>(text_[end])] : CharClass::kUnknown;
    const bool plain = next == CharClass::kClose || next == CharClass::kSingle ||
                       next == CharClass::kSpace || next == CharClass::kNewline;
    // ((void (*)())0x1234)(): what stands there may be called.
    const bool cast = kDialect.preprocessor && state_.out_.at(count() - 1).is(')');
    if (plain && !cast) return emit(TokenKind::kNumber, end - pos_, 0);
    leave();
    state_.number();
    enter();
  }

  // Two that are a digraph's or a comment's begin are State's.
  [[gnu::always_inline]] bool is_special(char c, char next) const {
    if constexpr (kDialect.preprocessor) {
      return c == '#' || (c == '<' && (state_.header_next_ || next == ':' || next == '%')) ||
             (c == ':' && next == '>') || (c == '%' && (next == '>' || next == ':'));
    }
    if constexpr (kDialect.templates) {
      return (c == '<' && next == '!') || (c == '-' && next == '-') || (c == '?' && next == '.');
    }
    return false;
  }

  [[gnu::always_inline]] void punctuation(char c) {
    const char next = peek(pos_ + 1);
    if (is_special(c, next)) {
      leave();
      state_.punctuation();
      return enter();
    }
    const auto& seconds = kDialect.pairs[static_cast<unsigned char>(c)];
    const auto second = static_cast<unsigned char>(next);
    if (second != seconds[0] && second != seconds[1]) {
      if constexpr (kDialect.mark_symbols) {
        const bool marked = kDialect.templates ? c == '=' : c == '#' || c == '$';
        if (marked) mark(count());
      }
      return emit(TokenKind::kPunctuation, 1, static_cast<Symbol>(c));
    }
    const Symbol symbol = pair(c, next);
    if constexpr (kDialect.mark_qualifiers) {
      if (symbol == kScope) state_.mark_name_before();
    }
    const bool three =
        kDialect.templates && (symbol == kEqual || symbol == kNotEqual) && peek(pos_ + 2) == '=';
    emit(TokenKind::kPunctuation, three ? 3 : 2, symbol);
  }

  [[gnu::always_inline]] void open(char c) {
    if (!kDialect.balanced || state_.depth_ >= state_.max_nesting_) {
      leave();
      state_.open_bracket(c, 1, 0);
      return enter();
    }
    state_.open_pair(count());
    if constexpr (kDialect.mark_symbols) {
      if (c == (kDialect.lifetimes ? '{' : '[')) mark(count());
    }
    emit(TokenKind::kPunctuation, 1, static_cast<Symbol>(c), kOpens);
  }

  [[gnu::always_inline]] void close(char c) {
    if constexpr (kDialect.balanced) {
      Scan& out = state_.out_;
      const std::uint32_t inner = state_.innermost_;
      // ( ) follow one another, [ ] and { } have a character between them.
      const auto opener = static_cast<Symbol>(c == ')' ? c - 1 : c - 2);
      if (inner == kNoToken || out.brackets[inner].outer == kNoToken ||
          !out.tokens[out.brackets[inner].open].is(opener)) {
        leave();
        state_.close_bracket(c, 1, 0);
        return enter();
      }
      Bracket& closed = out.brackets[inner];
      closed.close = static_cast<std::uint32_t>(count());
      state_.last_closed_ = inner;
      state_.innermost_ = closed.outer;
      --state_.depth_;
      if constexpr (kDialect.mark_symbols && kDialect.lifetimes) {
        if (c == '}') mark(count());
      }
    }
    emit(TokenKind::kPunctuation, 1, static_cast<Symbol>(c), kCloses);
  }

  [[gnu::always_inline]] void dot() {
    const char next = peek(pos_ + 1);
    if (next == '.' || (next >= '0' && next <= '9')) {
      leave();
      state_.dot();
      return enter();
    }
    if constexpr (kDialect.mark_qualifiers && !kDialect.lifetimes) state_.mark_name_before();
    emit(TokenKind::kPunctuation, 1, '.');
  }

  State& state_;
  const std::string_view text_;
  const std::size_t size_;
  const WordFilter& words_;
  std::size_t pos_ = 0;
  unsigned pending_ = 0;
  unsigned directive_ = 0;
};

// A character that the loop leaves to State.
void State::rare_character(CharClass kind) {
  switch (kind) {
    case CharClass::kSlash:
      return slash();
    case CharClass::kDoubleQuote:
      return double_quote(pos_);
    case CharClass::kSingleQuote:
      return single_quote(pos_);
    case CharClass::kBacktick:
      return backtick();
    case CharClass::kBackslash:
      return backslash();
    case CharClass::kHash:
      return line_comment(pos_);
    case CharClass::kPercent:
      return percent_operator();
    case CharClass::kHigh:
      return foreign_character();
    default:
      return fault(Fault::kUnknownByte, pos_, pos_ + 1);
  }
}

void State::scan_all() {
  switch (dialect_.kind) {
    case Kind::kC:
      return Loop<kC>(*this).run();
    case Kind::kCpp:
      return Loop<kCpp>(*this).run();
    case Kind::kJava:
      return Loop<kJava>(*this).run();
    case Kind::kGo:
      return Loop<kGo>(*this).run();
    case Kind::kRust:
      return Loop<kRust>(*this).run();
    case Kind::kJavaScript:
      return Loop<kJavaScript>(*this).run();
    case Kind::kTypeScript:
      return Loop<kTypeScript>(*this).run();
    case Kind::kR:
      return Loop<kR>(*this).run();
  }
}

}  // namespace langsbx::languages::scanner
