// Attributes: written out, the standard's, and those that a macro may make of its argument.
#include <algorithm>

#include "languages/c/judge.h"
#include "languages/c/rules.h"
#include "languages/scanner/judging.h"

namespace langsbx::languages::c {

using scanner::report;
using scanner::TokenKind;

// __attribute__((a, b(c))): every name at the level of the inner parentheses.
void Judge::attribute(std::size_t at) {
  const std::size_t end = scan_.at(at + 1).is('(') ? scanner::after_bracket(scan_, at + 1, 512) : 0;
  if (end == 0) {
    // Without its list: a macro gives it another meaning or another list.
    return report(findings_, "c-attribute"_rule, scan_.at(at), "attribute list not written out");
  }
  std::size_t depth = 0;
  for (std::size_t i = at + 1; i < end; ++i) {
    const Token& token = scan_.at(i);
    if (token.is('(')) ++depth;
    if (token.is(')')) --depth;
    if (depth != 2 || token.kind != TokenKind::kIdentifier) continue;
    const bool parameter =
        token.has(scanner::kInDirective) &&
        std::find(parameters_.begin(), parameters_.end(), scan_.text(i)) != parameters_.end();
    if (parameter) continue;  // judged where the macro is used
    if (!is_harmless_attribute(scan_.text(i))) {
      report(findings_, "c-attribute"_rule, token, scan_.text(i));
    }
  }
}

// MACRO(constructor), MACRO(alias("f")) where the macro may make an attribute of it.
void Judge::attribute_argument(std::size_t at, bool named) {
  const Token& next = scan_.at(at + 1);
  const bool whole = named ? next.is('(') && scan_.at(at + 2).is_literal_text()
                           : next.is(')') || next.is(',') || next.is('(');
  std::size_t open = at - 1;
  while (open > 0 && open + 16 > at && !scan_.at(open).is('(') && !scan_.at(open).is(';')) --open;
  if (!whole || !scan_.at(open).is('(') || scan_.at(open - 1).kind != TokenKind::kIdentifier) {
    return;
  }
  const std::string_view macro = scan_.text(open - 1);
  const bool shouted = std::none_of(macro.begin(), macro.end(),
                                    [](char letter) { return letter >= 'a' && letter <= 'z'; });
  if (shouted || is_macro(macro))
    report(findings_, "c-attribute"_rule, scan_.at(at), scan_.text(at));
}

// [[gnu::constructor]]: only the compilers' own can do harm.
void Judge::standard_attribute(std::size_t at) {
  bool vendor = false;
  std::size_t depth = 0;
  for (std::size_t i = at; i < at + 256 && i < scan_.size(); ++i) {
    const Token& token = scan_.at(i);
    if (token.is('(')) ++depth;
    if (token.is(')') && depth > 0) --depth;
    if (depth > 0) continue;
    if (token.is(']') || token.is('[')) return;  // the list ends, or there is none
    if (token.is(scanner::kScope) || token.is(':')) vendor = true;
    if (vendor && token.kind == TokenKind::kIdentifier && !is_harmless_attribute(scan_.text(i))) {
      report(findings_, "c-attribute"_rule, token, scan_.text(i));
    }
  }
}

}  // namespace langsbx::languages::c
