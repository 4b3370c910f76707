// Variables, parameters, members and enumerators that are called like a function which matters.
// Only what certainly declares one hides the function, and only where it does.
#include <algorithm>

#include "languages/c/judge.h"
#include "languages/scanner/judging.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::c {
namespace {

using scanner::Scan;
using scanner::TokenKind;

constexpr std::size_t kMostScopes = 64;

bool is_plain_type(std::string_view name) {
  return is_one_of(name, "int", "char", "long", "short", "float", "double", "bool", "_Bool",
                   "unsigned", "signed", "size_t", "ssize_t", "int8_t", "int16_t", "int32_t",
                   "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t");
}

bool is_condition(const Scan& scan, std::size_t at) {
  return scan.at(at).kind == TokenKind::kDirective &&
         !is_one_of(scan.text(at + 1), "pragma", "error", "warning", "line");
}

}  // namespace

bool Judge::is_macro(std::string_view name) {
  if (!macros_) {
    macros_.emplace();
    for (std::size_t i = 0; i < scan_.size(); ++i) {
      const bool definition =
          scan_.at(i).kind == TokenKind::kDirective && scan_.is_name(i + 1, "define");
      if (definition) macros_->insert(scan_.text(i + 2));
    }
  }
  return macros_->contains(name);
}

// The bracket that is open at `at`; `at` itself when there is none.
std::size_t Judge::enclosing(std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i > 0 && scope_steps_ > 0; --i, --scope_steps_) {
    const Token& token = scan_.tokens[i - 1];
    if (token.has(scanner::kCloses)) ++depth;
    if (!token.has(scanner::kOpens)) continue;
    if (depth == 0) return i - 1;
    --depth;
  }
  return at;
}

// What closes the bracket that is open at `at`, or where a directive may change what stands there.
std::size_t Judge::end_of_block(std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < scan_.size() && scope_steps_ > 0; ++i, --scope_steps_) {
    const Token& token = scan_.tokens[i];
    if (is_condition(scan_, i)) return i;
    if (token.has(scanner::kOpens)) ++depth;
    if (!token.has(scanner::kCloses)) continue;
    if (depth == 0) return i;
    --depth;
  }
  return scope_steps_ > 0 ? scan_.size() : at;
}

// `int name`, `struct x *name`: an object, and not one of another file.
bool Judge::declares(std::size_t at) {
  const Token& next = scan_.at(at + 1);
  if (!(next.is(';') || next.is('=') || next.is(',') || next.is(')') || next.is('[') ||
        next.is(':'))) {
    return false;
  }
  std::size_t type = at - 1;
  while (type > 1 && scan_.at(type).is('*')) --type;
  if (is_further_declarator(type + 1)) return true;
  const bool tagged = is_one_of(scan_.text(type - 1), "struct", "enum", "union");
  if (scan_.at(type).kind != TokenKind::kIdentifier || is_macro(scan_.text(type))) return false;
  if (!tagged && !is_plain_type(scan_.text(type))) return false;
  for (std::size_t i = type; i > 0 && i + 16 > type; --i) {
    const Token& token = scan_.at(i - 1);
    if (token.kind != TokenKind::kIdentifier) break;
    if (is_one_of(scan_.text(token), "extern", "typedef")) return false;
  }
  return true;
}

// `int (*name)(...)`, and no call of (*name).
bool Judge::is_pointer_name(std::size_t at) {
  static constexpr auto kNoTypes =
      text_list("return", "else", "do", "sizeof", "case", "and", "or", "not");
  if (!scan_.at(at - 1).is('*') || !scan_.at(at - 2).is('(') || !scan_.at(at + 1).is(')') ||
      !scan_.at(at + 2).is('(')) {
    return false;
  }
  std::size_t type = at - 3;
  while (type > 1 && scan_.at(type).is('*')) --type;
  const std::string_view name = scan_.text(type);
  const bool word = kNoTypes.contains(name);
  const Token& argument = scan_.at(at + 3);
  const bool typed =
      argument.kind == TokenKind::kIdentifier || argument.is(')') || argument.is('.');
  return scan_.at(type).kind == TokenKind::kIdentifier && !word && typed && !is_macro(name);
}

// Where the declaration at `at` hides the function: to the block's end, in the function whose
// parameter it is; as a member only where it stands.
void Judge::find_variable(std::size_t at, std::vector<Scope>& scopes) {
  const std::size_t open = enclosing(at);
  const std::size_t tag = scan_.is_name(open - 1, "class") ? open - 1 : open - 2;
  const bool enumerator =
      open != at && (scan_.is_name(open - 1, "enum") || scan_.is_name(tag, "enum"));
  if (!enumerator && !declares(at)) return;
  if (open == at) return scopes.push_back({at, end_of_block(at)});
  if (enumerator) {
    const std::size_t close = end_of_block(open + 1);
    return scopes.push_back({at, std::max(close, end_of_block(close + 1))});
  }
  if (scan_.at(open).is('(')) {
    const std::size_t body = scanner::after_bracket(scan_, open, 512);
    if (is_macro(scan_.text(open - 1))) return;
    const bool has_body = body != 0 && scan_.at(body).is('{');
    return scopes.push_back({at, has_body ? end_of_block(body + 1) : at + 1});
  }
  const bool record = is_one_of(scan_.text(open - 1), "struct", "union", "class") ||
                      is_one_of(scan_.text(tag), "struct", "union", "class");
  scopes.push_back({at, record ? at + 1 : end_of_block(at)});
}

// Whether the name at `at` is one of the file's own variables.
bool Judge::is_variable(std::size_t at) {
  const std::string_view name = scan_.text(at);
  const auto [found, fresh] = variables_.try_emplace(name);
  if (fresh) {
    for (const std::uint32_t i : scan_.marks) {
      if (found->second.size() < kMostScopes && scan_.at(i).kind == TokenKind::kIdentifier &&
          scan_.text(i) == name) {
        find_variable(i, found->second);
      }
    }
  }
  return std::any_of(found->second.begin(), found->second.end(),
                     [at](const Scope& scope) { return scope.from <= at && at < scope.to; });
}

}  // namespace langsbx::languages::c
