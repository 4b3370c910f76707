// Which declarations hide a global, and where. Only what certainly binds counts: `var` at the top
// of a script does not hide anything, `declare` and bodiless functions vanish from TypeScript.
#include "languages/javascript/judge.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

template <std::size_t... kSizes>
bool is_one_of(const Code& code, Index index, const char (&... names)[kSizes]) {
  return code.is_identifier(index) && langsbx::is_one_of(code.text(index), names...);
}

// Inside `declare global { ... }` and the like nothing binds.
bool is_ambient(const Code& code, Index index) {
  constexpr int kMostLevels = 24;  // what stands deeper hides nothing either
  int level = 0;
  for (Index brace = index; brace != kNoIndex; brace = code.enclosing(brace)) {
    if (++level > kMostLevels) return true;
    for (Index back = 1; back <= 4 && back <= brace; ++back) {
      if (code.is(brace - back, string_view("declare"))) return true;
      if (code.is(brace - back, ';') || code.is(brace - back, '}')) break;
    }
  }
  return false;
}

// Whether the expression that stands before the line end before `at` certainly goes on there.
bool goes_on(const Code& code, Index at) {
  const Token& before = code.at(at - 1);
  const bool operand = before.kind != TokenKind::kPunctuation || before.is(')') || before.is(']') ||
                       before.is('}') || before.is(scanner::kIncrement) ||
                       before.is(scanner::kDecrement);
  if (!operand) return true;
  const Token& token = code.at(at);
  for (const char sign : {'?', ':', '.', '*', '%', '<', '>', '=', '&', '|', '^'}) {
    if (token.is(sign)) return true;
  }
  return token.is(scanner::kOptionalChain) || token.is(scanner::kAnd) || token.is(scanner::kOr) ||
         token.is(scanner::kNullish) || token.is(scanner::kEqual) || token.is(scanner::kNotEqual);
}

// The rest of an arrow function's body that starts at `begin`.
Index end_of_body(const Code& code, Index begin) {
  if (code.is(begin, '{')) return code.after(begin);
  Index at = begin;
  int choices = 0;  // a ? b : c in the body; a ":" of none ends it
  while (at < code.size()) {
    const Token& token = code.at(at);
    if (token.is(',') || token.is(';') || token.is(')') || token.is(']') || token.is('}')) break;
    if (token.kind == TokenKind::kTemplate && code.text(at).front() == '}') break;
    if (at > begin && token.has(scanner::kNewlineBefore) && !goes_on(code, at)) break;
    choices += token.is('?') ? 1 : 0;
    if (token.is(':') && --choices < 0) break;
    const Index other = code.partner(at);
    at = other != kNoIndex && other > at ? other + 1 : at + 1;
  }
  return at;
}

// The block a let, const, class or function at `index` belongs to.
Range block_around(const Code& code, Index index) {
  const Index open = code.enclosing(index);
  if (open == kNoIndex) return {0, code.size()};
  if (code.is(open, '{')) return {open, code.after(open)};
  if (!code.is(open, '(')) return {};
  const Index close = code.after(open);  // for (const x of y) { ... }
  return {open, end_of_body(code, close)};
}

// The body of a function whose parameters close before `next`; kNoIndex when there is none.
Index body_after(const Code& code, Index next) {
  if (code.is(next, '{')) return next;
  if (!code.typescript() || !code.is(next, ':')) return kNoIndex;
  Index at = next + 1;
  for (int steps = 0; steps < 64 && at < code.size(); ++steps) {
    const Token& before = code.at(at - 1);
    const bool type = before.is(':') || before.is('|') || before.is('&') || before.is(',') ||
                      before.is('<') || before.is(scanner::kFatArrow);
    if (code.is(at, '{') && !type) return at;
    if (code.is(at, ';') || code.is(at, '=')) return kNoIndex;
    const Index other = code.partner(at);
    at = other != kNoIndex && other > at ? other + 1 : at + 1;
  }
  return kNoIndex;
}

Range hidden_by_parameter(const Code& code, Index open, bool typed) {
  const Index next = code.after(open);
  if (code.is(next, scanner::kFatArrow)) return {open, end_of_body(code, next + 1)};
  const bool function = is_one_of(code, open - 1, "function", "catch") ||
                        (open >= 2 && is_one_of(code, open - 2, "function")) ||
                        (open >= 2 && code.is(open - 2, '*'));
  if (is_one_of(code, open - 1, "if", "while", "for", "switch", "with", "extends", "return", "else",
                "do", "await", "yield", "new", "case", "throw", "typeof", "void", "delete", "in",
                "of", "instanceof", "super", "import")) {
    return {};
  }
  if (code.is(next, '{')) {
    const bool named = code.is_identifier(open - 1) && !code.is_member(open - 1);
    if (function || (named && !code.newline_before(next))) return {open, code.after(next)};
    return {};
  }
  if (!typed && !function) return {};
  const Index body = body_after(code, next);
  if (body != kNoIndex) return {open, code.after(body)};
  // (x: T): R => ...: the range of the parameters alone is certain.
  return typed ? Range{open, next} : Range{};
}

Range hidden_by_named(const Code& code, Index index) {  // function NAME, class NAME
  Index keyword = index - 1;
  if (code.is(keyword, '*')) --keyword;
  Index body = index + 1;
  if (code.is(keyword, string_view("function"))) {
    body = code.is(body, '(') ? body_after(code, code.after(body)) : kNoIndex;
  } else {
    for (int steps = 0; steps < 64 && body < code.size() && !code.is(body, '{'); ++steps) ++body;
  }
  if (body == kNoIndex || !code.is(body, '{')) return {};
  Index first = keyword;
  if (first > 0 && is_one_of(code, first - 1, "async", "abstract")) --first;
  const Token& before = code.at(first - 1);
  const bool statement = before.kind == TokenKind::kEnd || before.is(';') || before.is('{') ||
                         before.is('}') || is_one_of(code, first - 1, "export", "default");
  return statement ? block_around(code, index) : Range{index, code.after(body)};
}

// `{process}` and `[process]` after const or as a parameter.
Range hidden_by_pattern(const Code& code, Index index) {
  const Index open = code.enclosing(index);
  const Token& before = code.at(index - 1);
  const Token& next = code.at(index + 1);
  if (!(before.is('{') || before.is('[') || before.is(',') || before.is(':'))) return {};
  if (!(next.is(',') || next.is('}') || next.is(']') || next.is('='))) return {};
  if (is_one_of(code, open - 1, "const", "let") &&
      (code.is(code.after(open), '=') || is_one_of(code, code.after(open), "of", "in"))) {
    return block_around(code, open);
  }
  const Index outer = code.enclosing(open);
  if (outer != kNoIndex && code.is(outer, '(') &&
      (code.is(open - 1, '(') || code.is(open - 1, ','))) {
    return hidden_by_parameter(code, outer, false);
  }
  return {};
}

}  // namespace

Range hidden_by_declaration(const Code& code, Index index) {
  if (code.typescript() && is_ambient(code, index)) return {};
  const Index open = code.enclosing(index);
  if (is_one_of(code, index - 1, "let", "const")) return block_around(code, index);
  if (is_one_of(code, index - 1, "var")) {
    return open == kNoIndex ? Range{} : block_around(code, index);
  }
  if (is_one_of(code, index - 1, "function", "class") ||
      (code.is(index - 1, '*') && is_one_of(code, index - 2, "function"))) {
    return hidden_by_named(code, index);
  }
  if (code.is(index + 1, scanner::kFatArrow)) return {index, end_of_body(code, index + 2)};
  if (open == kNoIndex) return {};
  if (!code.is(open, '(')) return hidden_by_pattern(code, index);
  const Token& before = code.at(index - 1);
  const Token& next = code.at(index + 1);
  const bool typed =
      code.typescript() && (next.is(':') || (next.is('?') && code.is(index + 2, ':')));
  if (!(before.is('(') || before.is(',') || before.is(scanner::kEllipsis) ||
        (typed && before.kind == TokenKind::kIdentifier))) {
    return {};
  }
  if (!(next.is(',') || next.is(')') || next.is('=') || typed)) return {};
  return hidden_by_parameter(code, open, typed);
}

}  // namespace langsbx::languages::javascript
