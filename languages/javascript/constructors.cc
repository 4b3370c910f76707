// The two names that lead to code out of text from any object: Function and constructor.
#include "languages/javascript/judge.h"
#include "languages/javascript/rules.h"

namespace langsbx::languages::javascript {

using std::string_view;

// interface Name ... { and type Name = {: nothing in there is a value.
bool Judge::is_type_literal(Index brace) const {
  if (code_.is(brace - 1, '=') && code_.is(brace - 3, string_view("type")) &&
      !code_.newline_before(brace - 2)) {
    return true;
  }
  for (Index back = 2; back <= 12 && back <= brace; ++back) {
    const Token& before = code_.at(brace - back);
    if (before.is(';') || before.is('{') || before.is('}') || before.is('=')) return false;
    if (code_.is(brace - back, string_view("interface"))) {
      return !code_.newline_before(brace - back + 1);
    }
  }
  return false;
}

// Promise<[any, Function]>, x as (y: T) => Function, T | ((y: T) => Function)
bool Judge::is_within_type(Index index) const {
  const Index open = code_.enclosing(index);
  if (open != kNoIndex && code_.is(open, '[') && code_.is(open - 1, '<') &&
      code_.is(code_.after(open), '>')) {
    return true;
  }
  if (!code_.is(index - 1, scanner::kFatArrow) || !code_.is(index - 2, ')')) return false;
  Index before = code_.partner(index - 2);
  if (before == kNoIndex) return false;
  --before;
  while (before > 0 && code_.is(before, '(') && code_.is(before - 1, '|')) --before;
  return code_.is(before, '|') || code_.is(before, string_view("as"));
}

// `Function` as a type of TypeScript, or compared, is harmless.
void Judge::ask_function_type(Index index) {
  const Token& next = code_.at(index + 1);
  const Token& before = code_.at(index - 1);
  if (only_compared(index)) return;
  // Function.prototype.name = ..., a method for all functions
  const string_view given = code_.text(index + 4);
  if (next.is('.') && code_.is(index + 2, string_view("prototype")) && code_.is(index + 3, '.') &&
      code_.is(index + 5, '=') && !is_sensitive_member(given) && given != "call" &&
      given != "apply" && given != "bind" && given != "toString" && given != "valueOf") {
    return;
  }
  if (code_.typescript() && code_.is(index - 1, string_view("interface"))) return;
  const bool used = next.is('(') || next.is('.') || next.is('[') || next.is('`') ||
                    next.is(scanner::kOptionalChain) || next.kind == TokenKind::kTemplate;
  const bool array = next.is('[') && code_.is(index + 2, ']');
  if (code_.typescript() && (array || is_within_type(index))) return;
  if (code_.typescript() && !used) {
    if (before.is('<') || before.is('|') || before.is('&') || next.is('|') || next.is('>')) return;
    if (code_.is(index - 1, string_view("as"))) return;
    if (code_.is(index - 1, string_view("extends"))) {
      const bool heritage =
          code_.is(index - 2, string_view("class")) || code_.is(index - 3, string_view("class"));
      if (!heritage) return;
    }
    const Index name = code_.is(index - 2, '?') ? index - 3 : index - 2;
    if (before.is(':') && code_.is_identifier(name)) {
      const Token& first = code_.at(name - 1);
      const Index open = code_.enclosing(index);
      const bool declared =
          code_.is(name - 1, string_view("const")) || code_.is(name - 1, string_view("let"));
      const bool parameter = open != kNoIndex && code_.is(open, '(') &&
                             (first.is('(') || first.is(',') ||
                              (first.kind == TokenKind::kIdentifier && begins_member(name, false)));
      const bool field = open != kNoIndex && code_.is(open, '{') && begins_member(name, false) &&
                         (next.is(';') || code_.newline_before(index + 1));
      if (declared || parameter || field) return;
      if (open != kNoIndex && is_type_literal(open)) return;
    }
    if (before.is(':') && code_.is(index - 2, ')') &&
        (next.is('{') || next.is(scanner::kFatArrow))) {
      return;
    }
  }
  report("javascript-dynamic-code"_rule, index, "Function");
}

// Where `a.b` of a.b.name at `index` begins.
Index Judge::receiver_of(Index index) const {
  Index start = index - 2;
  for (int steps = 0; steps < 64 && code_.is_member(start); ++steps) start -= 2;
  return start;
}

// Whether the brackets at `open` hold one product, quotient or difference.
bool Judge::is_number_alone(Index open) const {
  const Index close = code_.partner(open);
  if (close == kNoIndex) return false;
  bool number = false;
  for (Index i = open + 1; i < close; ++i) {
    const Index other = code_.partner(i);
    if (other != kNoIndex && other > i) {
      i = other;
      continue;
    }
    const Token& token = code_.at(i);
    number |= token.is('*') || token.is('/') || token.is('-') || token.is('%');
    const bool plain = token.kind == TokenKind::kIdentifier || token.kind == TokenKind::kNumber ||
                       token.is('*') || token.is('/') || token.is('-') || token.is('%') ||
                       token.is('.');
    if (!plain || code_.is(i, string_view("yield"))) return false;
  }
  return number;
}

// b instanceof a.name, b === a.name, !a.name: nobody gets it.
bool Judge::is_compared_member(Index index) const {
  if (only_compared(index)) return true;
  const Token& next = code_.at(index + 1);
  if (next.is('.') || next.is('(') || next.is('[') || next.is(scanner::kOptionalChain) ||
      next.kind == TokenKind::kTemplate || !code_.is_member(index)) {
    return false;
  }
  const Index before = receiver_of(index) - 1;
  const bool value =
      (code_.is_identifier(before - 1) && !code_.is(before - 1, string_view("return"))) ||
      code_.is(before - 1, ')') || code_.is(before - 1, ']');
  const bool negated = code_.is(before, '!') && !value;
  return negated || code_.is(before, scanner::kEqual) || code_.is(before, scanner::kNotEqual) ||
         code_.is(before, string_view("instanceof"));
}

void Judge::ask_constructor(Index index) {
  const Token& next = code_.at(index + 1);
  if (!code_.is_member(index)) {
    const Index brace = code_.enclosing(index);
    if (brace == kNoIndex || !code_.is(brace, '{')) return;
    if (may_be_pattern(brace)) report("javascript-constructor"_rule, index, "in a pattern");
    return;
  }
  if (only_compared(index) || next.is(scanner::kEqual)) return;
  const bool of_this = code_.is(index - 2, string_view("this"));
  if (next.is('=')) return;  // given, not taken
  const Index call = code_.enclosing(index);
  if (of_this && next.is(')') && call != kNoIndex) {
    const Index name = code_.is(call - 1, scanner::kOptionalChain) ? call - 2 : call - 1;
    if (code_.is(name, string_view("captureStackTrace"))) return;
  }
  // new a.constructor(): of a function, one without a body.
  const Index start = receiver_of(index);
  if (code_.is(start - 1, string_view("new")) && next.is('(') && code_.is(index + 2, ')')) return;
  if (next.is(scanner::kAnd) || next.is('?') || is_compared_member(index)) return;
  const Index group = code_.enclosing(index);
  const bool switched = group != kNoIndex && code_.is(group - 1, string_view("switch"));
  if (switched && start == group + 1 && next.is(')')) return;
  const bool anew = code_.is(start - 1, string_view("new")) && next.is('(');
  if (anew && is_number_alone(index + 1)) return;  // code that is a number does nothing
  if (next.is('.') || next.is(scanner::kOptionalChain)) {
    const string_view member = code_.text(index + 2);
    if (member == "name" || member == "length") return;
    const bool leads = member == "constructor" || member == "prototype" || member == "call" ||
                       member == "apply" || member == "bind" || member == "__proto__";
    if (of_this && !leads && code_.is_identifier(index + 2)) return;
  }
  if (of_this && code_.is(index - 3, string_view("new")) && next.is('(') &&
      !code_.at(index + 2).is_literal_text()) {
    return;
  }
  report("javascript-constructor"_rule, index, ".constructor");
}

}  // namespace langsbx::languages::javascript
