// Mentions of names and texts: one pass over the tokens.
#include "languages/r/judge.h"

#include <algorithm>
#include <iterator>

#include "languages/r/rules.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/literal_text.h"

namespace langsbx::languages::r {

using scanner::report;
using scanner::Token;
using scanner::TokenKind;

namespace {

// "demo" and "example" are words, "system" and "sys.function" hardly.
bool is_word(std::string_view text) {
  constexpr std::string_view kNames[] = {"system", "eval", "evalq", "baseenv", "globalenv", "mget"};
  return std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; }) &&
         std::ranges::find(kNames, text) == std::end(kNames);
}

}  // namespace

void judge_source(const Source& source, const Policy& policy, Findings& findings) {
  const scanner::Scan scan = scanner::scan(source.bytes, scanner::kR, policy.max_nesting);
  scanner::report_common(scan, "r-syntax"_rule, policy, findings);
  scanner::report_blocked_names(scan, "r-blocked-function"_rule, policy, findings);
  Judge(scan, policy, findings, source.included).run();
}

void Judge::run() {
  findings_.count_steps(scan_.size());
  learn_bindings();
  for (std::size_t i = 0; i < scan_.size() && !findings_.full(); ++i) {
    const Token& token = scan_.at(i);
    if (token.has(scanner::kOpens)) {
      open_.push_back(masks(i));
      masks_ += open_.back() ? 1U : 0U;
    } else if (token.has(scanner::kCloses) && !open_.empty()) {
      masks_ -= open_.back() ? 1U : 0U;
      open_.pop_back();
    }
    const bool text = token.kind == TokenKind::kString || token.kind == TokenKind::kRawString;
    if (!text && token.kind != TokenKind::kIdentifier) {
      // base:::x, whoever x is.
      const bool inside = token.is(scanner::kScope) && scan_.at(i + 1).is(':');
      if (inside) report(findings_, "r-package-internals"_rule, token, name_of(i + 2));
      continue;
    }
    const bool backtick = text && scan_.text(token).starts_with('`');
    const bool called = scan_.at(i + 1).is('(');
    if (text && !backtick) judge_text(i);
    // "system"("id"), "f" <- system and base::"system" name functions as well.
    const bool names = !text || backtick || called || scan_.at(i - 1).is(scanner::kScope);
    if (!names || is_member(i)) continue;
    const std::string name = name_of(i);
    if (scan_.at(i + 1).is(scanner::kScope)) {
      judge_package(i, name);
    } else if (called || !is_argument_name(i)) {
      judge_name(i, name, called);
    }
  }
}

std::optional<std::string> Judge::literal(std::size_t at) const {
  const Token& token = scan_.at(at);
  const bool backtick = scan_.text(token).starts_with('`');
  if (backtick || !token.is_literal_text()) return std::nullopt;
  return scanner::literal_text(scan_, token, scanner::kR);
}

std::string Judge::name_of(std::size_t at) const {
  const std::string_view text = scan_.text(at);
  if (text.starts_with('`') && text.size() > 1) return std::string(text.substr(1, text.size() - 2));
  if (auto quoted = literal(at)) return std::move(*quoted);
  return std::string(text);
}

// x$system, x@system: a part of a value.
bool Judge::is_member(std::size_t at) const {
  return scan_.at(at - 1).is('$') || scan_.at(at - 1).is('@');
}

// f(system = 1), list(file = "x"): inside a call, not in a block.
bool Judge::is_argument_name(std::size_t at) const {
  if (!scan_.at(at + 1).is('=')) return false;
  return scan_.at(at - 1).is('(') || scan_.at(at - 1).is(',');
}

void Judge::report_function(std::size_t at, Capability capability, std::string_view name) {
  if (policy_.functions_allowed.contains(name)) return;
  switch (capability) {
    case Capability::kDynamicCode:
      return report(findings_, "r-dynamic-code"_rule, scan_.at(at), name);
    case Capability::kIntrospection:
      return report(findings_, "r-introspection"_rule, scan_.at(at), name);
    case Capability::kNativeCode:
      return report(findings_, "r-native-code"_rule, scan_.at(at), name);
    default:
      return report(findings_, "r-blocked-function"_rule, capability, scan_.at(at), name);
  }
}

void Judge::judge_name(std::size_t at, std::string_view name, bool called) {
  const bool qualified = scan_.at(at - 1).is(scanner::kScope);
  const Function* const function = find_function(name);
  const Capability file = file_use(name);
  const bool takes_function = function_argument(name) != 0;
  const bool asked = function != nullptr || file != Capability::kNone || takes_function;
  const bool own = asked && !qualified && !called && is_bound(name, at);
  const bool followed = called && name == "source" && follow_source(at);
  if (function != nullptr && !followed) {
    // environment() alone asks for one; environment(f) too.
    const bool counts = function->use == Use::kAny || called || !own;
    const bool opens = function->capability == Capability::kFilesRead;
    if (counts && !(opens && called)) report_function(at, function->capability, name);
  }
  if (called) return judge_call(at, name);
  if (own) return;
  judge_write_as_value(at, name);
  const bool assigned = scan_.at(at + 1).is(scanner::kReceive) || scan_.at(at + 1).is('=');
  if (file != Capability::kNone && !assigned) report_function(at, file, name);
  if (takes_function && !assigned) {
    report(findings_, "r-function-by-name"_rule, scan_.at(at), std::string(name) + " as a value");
  }
  if (name == "options" || name == "library" || name == "require") {
    report(findings_, "r-function-by-name"_rule, scan_.at(at), std::string(name) + " as a value");
  }
}

// A text that is a dangerous function's name goes where a function may be given by name, of a
// package perhaps that nobody knows; compared with something or as an index it is a text.
void Judge::judge_text(std::size_t at) {
  const auto text = literal(at);
  if (!text) return;
  if (scanner::names_system_path(*text, policy_)) {
    report(findings_, "r-path-outside"_rule, scan_.at(at), *text);
  }
  const Function* const function = find_function(*text);
  if (function == nullptr || function->use != Use::kAny || is_word(*text)) return;
  const bool compared = scan_.at(at - 1).is(scanner::kEqual) ||
                        scan_.at(at + 1).is(scanner::kEqual) ||
                        scan_.at(at - 1).is(scanner::kNotEqual) || scan_.at(at + 1).is('=');
  const bool index = scan_.at(at - 1).is('[') && scan_.at(at + 1).is(']');
  if (!compared && !index && !scan_.at(at + 1).is('(')) {
    report_function(at, function->capability, "'" + *text + "'");
  }
}

void Judge::judge_package(std::size_t at, std::string_view name) {
  if (name == "data.table") has_tables_ = true;
  if (policy_.modules_blocked.contains(name)) {
    return report(findings_, "r-blocked-package"_rule, Capability::kNone, scan_.at(at), name);
  }
  if (policy_.modules_allowed.contains(name)) return;
  if (policy_.modules_exclusive) {
    return report(findings_, "r-blocked-package"_rule, Capability::kNone, scan_.at(at), name);
  }
  const auto capability = find_package(name);
  if (!capability) return report(findings_, "r-unknown-package"_rule, scan_.at(at), name);
  if (*capability == Capability::kNone) return;
  report(findings_, "r-blocked-package"_rule, *capability, scan_.at(at), name);
}

}  // namespace langsbx::languages::r
