// Where control could go but functions: main as data, jumps and casts to what a source writes down.

#include "languages/c/judge.h"
#include "languages/c/rules.h"
#include "languages/scanner/judging.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::c {

using scanner::report;
using scanner::TokenKind;

// main as data: `char main[] = ...`, `int main = ...`; main with the environment as parameter.
void Judge::entry_point(std::size_t at) {
  const Token& next = scan_.at(at + 1);
  const Token& before = scan_.at(at - 1);
  if (next.is('(') && before.kind == TokenKind::kIdentifier) {
    std::size_t commas = 0;
    const std::size_t end = scanner::after_bracket(scan_, at + 1, 64);
    for (std::size_t i = at + 2; i < end; ++i) commas += scan_.at(i).is(',') ? 1U : 0U;
    if (commas >= 2) {
      report(findings_, "c-blocked-function"_rule, Capability::kEnvironment, scan_.at(at),
             "the environment as a parameter of main");
    }
  }
  if ((next.is('[') || next.is('=')) && before.kind == TokenKind::kIdentifier &&
      !(scan_.at(at - 1).is('.') || scan_.at(at - 1).is(scanner::kArrow))) {
    report(findings_, "c-entry-point"_rule, scan_.at(at), "main is not a function");
  }
  if (before.is(')') && scan_.at(at - 2).is('*')) {  // (char *)main + 5
    report(findings_, "c-entry-point"_rule, scan_.at(at), "main as data");
  }
}

// reinterpret_cast<void (*)()>(x): code at a place that x says.
void Judge::function_cast(std::size_t at) {
  if (!scan_.at(at + 1).is('<')) return;
  for (std::size_t i = at + 2; i < at + 16; ++i) {
    if (scan_.at(i).is('>') || scan_.at(i).is(';')) return;
    if (scan_.at(i).is('(') && scan_.at(i + 1).is('*') && scan_.at(i + 2).is(')')) {
      return report(findings_, "c-inline-assembly"_rule, scan_.at(at), "a cast to a function");
    }
  }
}

// ((void (*)(void))code)() with `unsigned char code[]`, &code[0] too; `open` is the second bracket.
void Judge::function_pointer(std::size_t open) {
  if (!scan_.at(open - 2).is('*')) return learn_pointer(open);
  const std::size_t end = scanner::after_bracket(scan_, open, 64);
  if (end == 0 || !scan_.at(end).is(')')) return;  // a declaration, or no cast
  const bool literal = scan_.at(end + 1).kind != TokenKind::kIdentifier &&
                       !scan_.at(end + 1).is('(') && !scan_.at(end + 1).is('&');
  if (!literal && is_place(end + 1)) {  // a literal is asked as such
    report(findings_, "c-inline-assembly"_rule, scan_.at(end + 1), "data taken as a function");
  }
}

bool Judge::is_data(std::string_view name) {
  if (!data_) {
    data_.emplace();
    static constexpr auto kTypes =
        text_list("char", "uint8_t", "int8_t", "unsigned", "int", "long", "short", "uint16_t",
                  "uint32_t", "uint64_t", "u8", "byte");
    for (std::size_t i = 1; i < scan_.size(); ++i) {
      if (!scan_.at(i + 1).is('[') || scan_.at(i - 1).kind != TokenKind::kIdentifier) continue;
      const std::string_view type = scan_.text(i - 1);
      if (kTypes.contains(type)) {
        data_->insert(scan_.text(i));
      }
    }
  }
  return data_->contains(name);
}

// typedef int (*F)(...); typedef int F(...); using F = int (*)(...); using F = int(...);
void Judge::type_name(std::size_t at) {
  std::string_view name;
  if (scan_.is_name(at, "using")) {
    if (!scan_.at(at + 2).is('=')) return;
    name = scan_.text(at + 1);
  }
  bool function = false;
  for (std::size_t i = at + 1; i < at + 32 && !scan_.at(i).is(';'); ++i) {
    if (!scan_.at(i).is('(') || scan_.at(i - 1).is('<')) continue;
    if (scan_.at(i + 1).is('*')) {  // (*F)( or (*)(
      const std::size_t close = scan_.at(i + 2).is(')') ? i + 2 : i + 3;
      function = scan_.at(close).is(')') && scan_.at(close + 1).is('(');
      if (name.empty()) name = scan_.text(i + 2);
    } else {
      const std::string_view last = scan_.text(i - 1);
      function = scan_.at(i - 1).kind == TokenKind::kIdentifier && last != "decltype" &&
                 last != "__typeof__" && last != "typeof" && last != "__attribute__" &&
                 last != "alignas" && last != "sizeof";
      if (name.empty()) name = last;
    }
    break;
  }
  if (!function || name.empty()) return;
  function_types_.insert(name);
  type_words_.add(name);
}

// (F)0x401000, F(0x401000) and (F *)code where F is a function's type.
void Judge::casts_to_names() {
  for (std::size_t i = 1; i < scan_.size() && !findings_.full(); ++i) {
    const Token& token = scan_.tokens[i];
    if (token.kind != TokenKind::kIdentifier || !type_words_.may_hold(token.symbol)) continue;
    std::size_t operand = i + 1;
    if (scan_.at(operand).is('*')) ++operand;
    const bool cast = scan_.at(i - 1).is('(') && scan_.at(operand).is(')');
    const bool call = scan_.at(i + 1).is('(') || scan_.at(i + 1).is('{');
    const std::size_t variable = scan_.at(i + 1).is('*') ? i + 2 : i + 1;
    if (!function_types_.contains(scan_.text(token))) continue;
    if (scan_.at(variable).kind == TokenKind::kIdentifier) add_pointer(scan_.text(variable));
    if (!cast && !call) continue;
    if (is_place(operand + 1)) {
      report(findings_, "c-inline-assembly"_rule, scan_.at(operand + 1),
             "data taken as a function");
    }
  }
}

// Behind (unsigned long) or (void *), when an operand follows it; `at` itself otherwise.
std::size_t Judge::past_cast(std::size_t at) const {
  if (!scan_.at(at).is('(')) return at;
  std::size_t close = at + 1;
  while (scan_.at(close).kind == TokenKind::kIdentifier || scan_.at(close).is('*') ||
         scan_.at(close).is(scanner::kScope)) {
    ++close;
  }
  const Token& next = scan_.at(close + 1);
  const bool operand = next.kind == TokenKind::kIdentifier || next.kind == TokenKind::kNumber ||
                       next.is_literal_text() || next.is('(') || next.is('&');
  return scan_.at(close).is(')') && close > at + 1 && operand ? close + 1 : at;
}

// Whether what stands there is a number, a text or data: no function.
bool Judge::is_place(std::size_t at) {
  for (int i = 0; i < 8; ++i) {
    at = past_cast(at);
    if (!scan_.at(at).is('(') && !scan_.at(at).is('&')) break;
    if (past_cast(at) == at) ++at;
  }
  const Token& token = scan_.at(at);
  if (token.kind == TokenKind::kNumber) {
    const bool small = token.length == 1 && !scan_.at(at + 1).is('+');  // NULL, SIG_IGN
    return !small;
  }
  if (token.is_literal_text()) return true;
  if (token.kind != TokenKind::kIdentifier) return false;
  const std::string_view member = scan_.text(at + 2);
  const bool bytes = (scan_.at(at + 1).is('.') || scan_.at(at + 1).is(scanner::kArrow)) &&
                     (member == "data" || member == "c_str") && scan_.at(at + 3).is('(');
  return bytes || is_data(scan_.text(token)) || is_number(at);
}

// (void (*)(void))"..." and (int (*)())0x400000: what stands there would run as code.
void Judge::called_literal(std::size_t at) {
  if (!scan_.at(at - 1).is(')') || scan_.text(at) == "0") return;
  if (!scan_.at(at - 2).is(')')) return;
  for (std::size_t i = at - 3; i + 16 > at && i < at; --i) {
    if (scan_.at(i).is('*') && scan_.at(i - 1).is('(') && scan_.at(i + 1).is(')') &&
        scan_.at(i + 2).is('(')) {
      return report(findings_, "c-inline-assembly"_rule, scan_.at(at),
                    "a literal taken as a function");
    }
  }
}

}  // namespace langsbx::languages::c
