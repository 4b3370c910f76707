// Where control could go but functions: main as data, jumps and casts to what a source writes down.
#include <algorithm>

#include "languages/c/judge.h"
#include "languages/c/rules/rules.h"
#include "languages/scanner/judging.h"

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
      report(findings_, kBlockedFunction, Capability::kEnvironment, scan_.at(at),
             "the environment as a parameter of main");
    }
  }
  if ((next.is('[') || next.is('=')) && before.kind == TokenKind::kIdentifier &&
      !(scan_.at(at - 1).is('.') || scan_.at(at - 1).is(scanner::kArrow))) {
    report(findings_, kEntryPoint, scan_.at(at), "main is not a function");
  }
}

// reinterpret_cast<void (*)()>(x): code at a place that x says.
void Judge::function_cast(std::size_t at) {
  if (!scan_.at(at + 1).is('<')) return;
  for (std::size_t i = at + 2; i < at + 16; ++i) {
    if (scan_.at(i).is('>') || scan_.at(i).is(';')) return;
    if (scan_.at(i).is('(') && scan_.at(i + 1).is('*') && scan_.at(i + 2).is(')')) {
      return report(findings_, kInlineAssembly, scan_.at(at), "a cast to a function");
    }
  }
}

// ((void (*)(void))code)() with `unsigned char code[]`, &code[0] too; `open` is the second bracket.
void Judge::function_pointer(std::size_t open) {
  const std::size_t end = scanner::after_bracket(scan_, open, 64);
  if (end == 0 || !scan_.at(end).is(')')) return;  // a declaration, or no cast
  std::size_t operand = end + 1;
  while (scan_.at(operand).is('(') || scan_.at(operand).is('&')) ++operand;
  if (scan_.at(operand).kind == TokenKind::kIdentifier && is_data(scan_.text(operand))) {
    report(findings_, kInlineAssembly, scan_.at(operand), "data taken as a function");
  }
}

bool Judge::is_data(std::string_view name) {
  if (!data_) {
    data_.emplace();
    constexpr std::string_view kTypes[] = {"char",     "uint8_t",  "int8_t", "unsigned",
                                           "int",      "long",     "short",  "uint16_t",
                                           "uint32_t", "uint64_t", "u8",     "byte"};
    for (std::size_t i = 1; i < scan_.size(); ++i) {
      if (!scan_.at(i + 1).is('[') || scan_.at(i - 1).kind != TokenKind::kIdentifier) continue;
      const std::string_view type = scan_.text(i - 1);
      if (std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes)) {
        data_->insert(scan_.text(i));
      }
    }
  }
  return data_->contains(name);
}

// (F)0x401000 where the file has `typedef int (*F)(...)`.
bool Judge::is_function_type(std::string_view name) {
  if (!function_types_) {
    function_types_.emplace();
    for (std::size_t i = 2; i < scan_.size(); ++i) {
      if (scan_.tokens[i].kind == TokenKind::kIdentifier && scan_.at(i - 1).is('*') &&
          scan_.at(i - 2).is('(') && scan_.at(i + 1).is(')') && scan_.at(i + 2).is('(')) {
        function_types_->insert(scan_.text(i));
      }
    }
  }
  return function_types_->contains(name);
}

// (void (*)(void))"..." and (int (*)())0x400000: what stands there would run as code.
void Judge::called_literal(std::size_t at) {
  if (!scan_.at(at - 1).is(')') || scan_.text(at) == "0") return;
  if (scan_.at(at - 2).kind == TokenKind::kIdentifier && scan_.at(at - 3).is('(') &&
      is_function_type(scan_.text(at - 2))) {
    return report(findings_, kInlineAssembly, scan_.at(at), "a literal taken as a function");
  }
  if (!scan_.at(at - 2).is(')')) return;
  for (std::size_t i = at - 3; i + 16 > at && i < at; --i) {
    if (scan_.at(i).is('*') && scan_.at(i - 1).is('(') && scan_.at(i + 1).is(')') &&
        scan_.at(i + 2).is('(')) {
      return report(findings_, kInlineAssembly, scan_.at(at), "a literal taken as a function");
    }
  }
}

}  // namespace langsbx::languages::c
