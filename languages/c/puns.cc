// Pointers to functions that get their value as data: by memcpy, through a cast of their address,
// through another member of a union, from a number.

#include "languages/c/judge.h"
#include "languages/c/rules.h"
#include "languages/scanner/judging.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::c {
namespace {

using scanner::report;
using scanner::Scan;
using scanner::Token;
using scanner::TokenKind;

// Integer types that hold an address.
bool is_wide(std::string_view type) {
  return is_one_of(type, "long", "uintptr_t", "intptr_t", "size_t", "ssize_t", "ptrdiff_t",
                   "uint64_t", "int64_t", "u64", "uint_fast64_t");
}

// "0x401000", "4198400": an address rather than a count.
bool is_address(std::string_view number) {
  return number.size() > 4 && (number[1] == 'x' || number[1] == 'X' || number.size() > 6);
}

// Where the brackets open around `at`, a call's or a cast's; 0 when that is far.
std::size_t opening(const Scan& scan, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i + 64 > at && i > 0; --i) {
    const Token& token = scan.at(i - 1);
    if (token.is(')')) ++depth;
    if (token.is('(')) {
      if (depth == 0) return i - 1;
      --depth;
    }
    if (token.is(';') || token.is('{')) return 0;
  }
  return 0;
}

}  // namespace

void Judge::add_pointer(std::string_view name) {
  pointers_.insert(name);
  pointer_words_.add(name);
}

// int (*name)(...): `open` is the bracket behind.
void Judge::learn_pointer(std::size_t open) {
  const Token& name = scan_.at(open - 2);
  if (name.kind == TokenKind::kIdentifier && scan_.at(open - 4).is('(')) {
    add_pointer(scan_.text(name));
  }
}

// union { long n; void *p; char bytes[8]; int (*f)(void); }
void Judge::learn_union(std::size_t at) {
  std::size_t open = at + 1;
  if (scan_.at(open).kind == TokenKind::kIdentifier) ++open;
  if (!scan_.at(open).is('{')) return;
  const std::size_t end = scanner::after_bracket(scan_, open, 512);
  bool holds_function = false;
  std::vector<std::string_view> others;
  for (std::size_t i = open + 1; i + 1 < end; ++i) {
    const Token& name = scan_.at(i);
    if (name.kind != TokenKind::kIdentifier) continue;
    const Token& next = scan_.at(i + 1);
    const Token& before = scan_.at(i - 1);
    if (next.is(')') && before.is('*')) {
      holds_function |= scan_.at(i + 2).is('(');
    } else if (next.is(';') || next.is('[') || next.is(',')) {
      const bool typed =
          before.kind == TokenKind::kIdentifier && function_types_.contains(scan_.text(before));
      holds_function |= typed;
      if (!typed) others.push_back(scan_.text(name));
    }
  }
  if (!holds_function) return;
  for (const std::string_view name : others) {
    beside_.insert(name);
    pointer_words_.add(name);
  }
  if (!others.empty()) add_pointer(others.front());
}

void Judge::puns() {
  for (std::size_t i = 1; i < scan_.size() && !findings_.full(); ++i) {
    const Token& token = scan_.tokens[i];
    if (token.kind != TokenKind::kIdentifier || !pointer_words_.may_hold(token.symbol)) continue;
    const std::string_view name = scan_.text(token);
    if (beside_.contains(name)) union_member(i);
    if (pointers_.contains(name) && !beside_.contains(name)) address_as_data(i);
  }
}

// memcpy(&f, ...), (long *)&f, (void **)&x.f
void Judge::address_as_data(std::size_t at) {
  std::size_t start = at;
  while (start > 2 && (scan_.at(start - 1).is('.') || scan_.at(start - 1).is(scanner::kArrow))) {
    start -= 2;
  }
  if (!scan_.at(start - 1).is('&')) return;
  const bool wrapped = scan_.at(start - 2).is('(') && scan_.at(start - 3).is(')');
  if (wrapped) --start;  // (void **)(&f)
  const Token& before = scan_.at(start - 2);
  if (before.is(')')) {
    const std::size_t open = opening(scan_, start - 2);
    bool pointer = false;
    bool function = false;
    for (std::size_t i = open + 1; open != 0 && i < start - 2; ++i) {
      pointer |= scan_.at(i).is('*');
      function |= scan_.at(i).is('(');
    }
    const bool cast = pointer && !function && scan_.at(open + 1).kind == TokenKind::kIdentifier;
    if (!cast) return;
  } else {
    const std::string_view call = scan_.text(opening(scan_, start - 1) - 1);
    const bool first =
        is_one_of(call, "memcpy", "memmove", "mempcpy", "__builtin_memcpy", "strcpy", "strncpy") &&
        before.is('(');
    if (!first && !is_one_of(call, "fread", "read", "scanf", "sscanf", "fscanf")) return;
  }
  report(findings_, "c-inline-assembly"_rule, scan_.at(at), "data taken as a function");
}

// x.n = 0x401000; x.p = bytes; {.n = (long)puts + 5} where x.f beside is a function.
void Judge::union_member(std::size_t at) {
  const Token& before = scan_.at(at - 1);
  std::size_t value = at + 1;
  if (scan_.at(value).is('+') || scan_.at(value).is('-')) ++value;
  if (!(before.is('.') || before.is(scanner::kArrow)) || !scan_.at(value).is('=')) return;
  const std::size_t first = value + 1;
  const std::size_t operand = past_cast(first);
  const Token& token = scan_.at(operand);
  const std::string_view type = scan_.text(first + 1);
  const bool cast = operand != first && (is_wide(type) || type == "unsigned" || type == "char") &&
                    token.kind == TokenKind::kIdentifier && !scan_.at(operand + 1).is('(');
  const bool data = token.kind == TokenKind::kIdentifier && is_data(scan_.text(token));
  const bool number = token.kind == TokenKind::kNumber && is_address(scan_.text(token));
  if (cast || data || number) {
    report(findings_, "c-inline-assembly"_rule, scan_.at(at), "data in the place of a function");
  }
}

// Whether the name at `at` is a variable of an integer type that holds an address.
bool Judge::is_number(std::size_t at) {
  if (!numbers_) {
    numbers_.emplace();
    for (std::size_t i = 1; i < scan_.size(); ++i) {
      const Token& next = scan_.at(i + 1);
      const bool declared = next.is(';') || next.is('=') || next.is(',') || next.is(')');
      if (!declared || scan_.at(i).kind != TokenKind::kIdentifier) continue;
      if (is_wide(scan_.text(i - 1))) numbers_->insert(scan_.text(i));
    }
  }
  const Token& next = scan_.at(at + 1);
  const bool whole = next.is(')') || next.is(';') || next.is(',') || next.is('+') || next.is('-');
  return whole && numbers_->contains(scan_.text(at));
}

}  // namespace langsbx::languages::c
