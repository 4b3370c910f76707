// One pass over the tokens of a Rust source.
#include "languages/rust/judge.h"

#include <algorithm>

#include "languages/environment.h"
#include "languages/rust/rules.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/literal_text.h"
#include "languages/work_area.h"

namespace langsbx::languages::rust {
namespace {

using scanner::kScope;
using scanner::plain_name;
using scanner::report;
using scanner::TokenKind;

}  // namespace

void judge_source(const Source& source, const Policy& policy, Findings& findings) {
  const scanner::Scan scan =
      scanner::scan(source.bytes, scanner::kRust, policy.max_nesting, kMeaningfulWords);
  scanner::report_common(scan, "rust-syntax"_rule, policy, findings);
  scanner::report_blocked_names(scan, "rust-blocked-path"_rule, policy, findings);
  Judge(scan, policy, findings, source.path, source.included).run();
}

void Judge::run() {
  find_uses();
  if (risky_names_) {
    run_with_names();
  } else {
    std::size_t next = 0;
    for (const std::uint32_t mark : scan_.marks) {
      if (mark < next) continue;
      if (findings_.full()) return;
      next = token(mark) + 1;
    }
  }
  if (!assembled_.empty()) assembled_paths();
}

// Marks, and the names bound by the source.
void Judge::run_with_names() {
  const std::size_t count = scan_.marks.size();
  std::size_t mark = 0;
  for (std::size_t i = 0; i < scan_.size(); ++i) {
    while (mark < count && scan_.marks[mark] < i) ++mark;
    const Token& next = scan_.tokens[i];
    const bool marked = mark < count && scan_.marks[mark] == i;
    if (!marked && (next.kind != TokenKind::kIdentifier || !bound_words_.may_hold(next.symbol))) {
      continue;
    }
    if (findings_.full()) return;
    i = token(i);
  }
}

// Judges what begins at this token; returns its last.
std::size_t Judge::token(std::size_t at) {
  const Token& token = scan_.tokens[at];
  if (token.kind == TokenKind::kIdentifier) {
    while (tree_ < use_trees_.size() && use_trees_[tree_].second < at) ++tree_;
    in_use_ = tree_ < use_trees_.size() && use_trees_[tree_].first <= at;
    return identifier(at);
  }
  if (token.is_literal_text()) {
    string(at);
  } else if (token.kind == TokenKind::kPunctuation) {
    switch (token.symbol) {
      case '{':
        ++depth_;
        break;
      case '}':
        if (depth_ > 0) --depth_;
        while (!modules_.empty() && modules_.back().first > depth_) modules_.pop_back();
        break;
      case '#':
        attribute(at);
        break;
      case '$':
        metavariable(at);
        break;
      default:
        break;
    }
  }
  return at;
}

// `std` by itself among tokens that are no expression: a macro can put it before any path. As a
// variable's name it is ordinary.
bool Judge::is_handed_over(std::size_t at) const {
  const std::string_view name = scan_.text(at);
  if (name == "core" || name == "alloc" || scan_.at(at - 1).is('.')) return false;
  const Token& next = scan_.at(at + 1);
  if (scan_.at(at - 1).is(kScope)) return !next.is('(') && !next.is('{');
  return next.kind == TokenKind::kIdentifier && scan_.text(next) != "as";
}

// Judges the path that starts here; returns its last token.
std::size_t Judge::identifier(std::size_t at) {
  const std::string_view name = plain_name(scan_.text(at));
  if (keyword(at, name)) return at;
  const std::string_view root = bound(name, scan_.tokens[at].symbol);
  const bool member = scan_.at(at - 1).is('.') || scan_.at(at - 1).is(kScope);
  if (scan_.at(at + 1).is('!') && !scan_.at(at + 2).is('=')) {
    const std::string_view last = root.empty() ? name : root.substr(root.rfind(':') + 1);
    const Capability* need = find_macro(root.empty() ? name : last);
    if (need != nullptr) macro(at, last, *need);
    return at;
  }
  // Passed to a macro, such a name can become a macro call there.
  if (name.size() > 6 && !member && find_macro(name) != nullptr) {
    macro(at, name, *find_macro(name));
    return at;
  }
  if (is_blocked_attribute(name) && !scan_.at(at + 1).is('(') && !scan_.at(at - 1).is('.') &&
      name != "lang" && name != "naked") {
    report(findings_, "rust-attribute"_rule, scan_.at(at), name);
    return at;
  }
  if (!scan_.at(at + 1).is(kScope)) {
    if (root == "std" && !in_use_ && is_handed_over(at)) {
      report(findings_, "rust-assembled-path"_rule, scan_.at(at), name);
      return at;
    }
    if (root.size() > 5 && !member) check_path(std::string(root), at, at);
    if (!member) whole_tree(root, at);
    if (root.size() > 5 && scan_.at(at + 1).is('(')) {
      const PathMatch match = find_path(root.substr(5));
      if (match.rule != nullptr) file_argument(at + 1, match.rule->capability);
    }
    return at;
  }
  if (!root.empty()) return path(at, root);
  // `::name` begins at the crates too; `a::name` and `>::name` do not.
  const Token& earlier = scan_.at(at - 2);
  const bool first = !member || (scan_.at(at - 1).is(kScope) && !earlier.is('>') &&
                                 !earlier.is(')') && earlier.kind != TokenKind::kIdentifier);
  const bool function = scan_.at(at + 2).is('<');  // name::<T>(): crates have no parameters
  const bool fragment = scan_.at(at - 1).is(':') && scan_.at(at - 3).is('$');  // $a:ident :: $b
  if (first && !function && !in_use_ && !fragment && !scan_.at(at - 1).is('$') &&
      (name[0] >= 'a' && name[0] <= 'z')) {
    crate(name, at);
  }
  return at;
}

std::size_t Judge::path(std::size_t at, std::string_view root) {
  std::string full(root);
  std::size_t last = at;
  while (scan_.at(last + 1).is(kScope)) {
    const Token& next = scan_.at(last + 2);
    if (next.kind == TokenKind::kIdentifier) {
      full += "::";
      full += plain_name(scan_.text(next));
      last += 2;
    } else {
      if (next.is('$')) {
        const PathMatch match = find_path(full.size() > 5 ? full.substr(5) : "");
        if (full == "std" || match.rule != nullptr) {
          report(findings_, "rust-assembled-path"_rule, scan_.at(last), full + "::$");
        }
      }
      break;
    }
  }
  // A macro by its path is judged by its name, next.
  if (scan_.at(last + 1).is('!') && find_macro(plain_name(scan_.text(last))) != nullptr) {
    return last - 1;
  }
  if (harmless_variable(full, last)) return last;
  check_path(full, at, last);
  whole_tree(full, last);
  if (scan_.at(last + 1).is('(') && full.size() > 5) {
    const PathMatch match = find_path(std::string_view(full).substr(5));
    if (match.rule != nullptr) file_argument(last + 1, match.rule->capability);
  }
  return last;
}

// std::env::var("HOME"): one variable by its name, and that no secret's.
bool Judge::harmless_variable(std::string_view path, std::size_t last) const {
  if (path != "std::env::var" && path != "std::env::var_os") return false;
  if (!scan_.at(last + 1).is('(') || !scan_.at(last + 2).is_literal_text() ||
      !scan_.at(last + 3).is(')')) {
    return false;
  }
  const auto name = scanner::literal_text(scan_, scan_.at(last + 2), scanner::kRust);
  return name && !names_secret(*name);
}

// Whether the profile's own lists leave the path out: std::collections by itself, by a name in it,
// or by naming others only.
bool Judge::is_left_out(std::string_view path) const {
  if (policy_.functions_blocked.contains(path)) return true;
  if (policy_.modules_blocked.empty() && !policy_.modules_exclusive) return false;
  const auto named = [&](const NameSet& names) {
    for (std::string_view part = path;; part = part.substr(0, part.rfind("::"))) {
      if (names.contains(part)) return true;
      if (part.find("::") == std::string_view::npos) return false;
    }
  };
  return named(policy_.modules_blocked) ||
         (policy_.modules_exclusive && !named(policy_.modules_allowed));
}

void Judge::check_path(const std::string& path, std::size_t first, std::size_t last) {
  if (path.size() <= 5 || !path.starts_with("std::")) return;
  if (is_left_out(path)) {
    return report(findings_, "rust-blocked-path"_rule, Capability::kNone, scan_.at(last), path);
  }
  const PathMatch match = find_path(std::string_view(path).substr(5));
  if (match.rule == nullptr) {
    const std::string_view module = std::string_view(path).substr(5, path.find(':', 5) - 5);
    // x::core::y may be the program's own module, and `mod core` makes its own of core::y.
    const bool member = !in_use_ && scan_.at(first - 1).is(kScope) &&
                        scan_.at(first - 2).kind == TokenKind::kIdentifier;
    const bool own = own_names_.contains("core") || own_names_.contains("alloc");
    if (!member && !own && !is_known_module(module)) {
      report(findings_, "rust-blocked-path"_rule, Capability::kNativeCode, scan_.at(last), path);
    }
    return;
  }
  if (match.rule->capability == Capability::kNone) return;
  if (match.whole && match.rule->module) return;
  if (policy_.functions_allowed.contains(path)) return;
  const Token& from = scan_.at(first);
  const Token& to = scan_.at(last);
  findings_.add("rust-blocked-path"_rule, match.rule->capability, from.offset,
                to.offset + to.length - from.offset, path);
}

// A tree is deleted where its path can be seen.
void Judge::whole_tree(std::string_view path, std::size_t last) {
  if (path != "std::fs::remove_dir_all" || in_use_ || scan_.at(last + 1).is('(')) return;
  report(findings_, "rust-path-outside"_rule, scan_.at(last), "remove_dir_all as a value");
}

bool Judge::keyword(std::size_t at, std::string_view name) {
  if (scan_.text(at).starts_with("r#")) return false;
  if (name == "unsafe") {
    report(findings_, "rust-unsafe"_rule, scan_.at(at), "");
    return true;
  }
  if (name == "extern") {
    if (!scan_.is_name(at + 1, "crate")) {
      report(findings_, "rust-foreign-code"_rule, scan_.at(at), scan_.text(at + 1));
    }
    return true;
  }
  if (name == "mod") {
    module(at);
    return true;
  }
  return name == "use" || name == "self" || name == "super";
}

void Judge::file_argument(std::size_t open, Capability need) {
  if (need != Capability::kFilesRead && need != Capability::kFilesWrite &&
      need != Capability::kFilesDelete) {
    return;
  }
  std::size_t at = open + 1;
  if (scan_.at(at).is('&')) ++at;
  if (const auto text = composed_text(at)) {
    if (place_of_path(*text, policy_, need != Capability::kFilesRead) != PathPlace::kInside) {
      report(findings_, "rust-path-outside"_rule, scan_.at(at), *text);
    }
    return;
  }
  for (int i = 0; i < 2; ++i) {
    if (!scan_.at(at).is_literal_text()) return;
    const auto text = scanner::literal_text(scan_, scan_.at(at), scanner::kRust);
    const bool inside =
        text && place_of_path(*text, policy_, need != Capability::kFilesRead) == PathPlace::kInside;
    // The second argument of fs::write is what is written, not a path.
    const bool second_is_path = need != Capability::kFilesWrite || i == 0;
    if (text && !inside && second_is_path)
      report(findings_, "rust-path-outside"_rule, scan_.at(at), *text);
    if (!scan_.at(at + 1).is(',')) return;
    at += 2;
  }
}

// format!("/{}/x", y) and ["", "etc"].join("/").
std::optional<std::string> Judge::composed_text(std::size_t at) const {
  if (scan_.is_name(at, "format") && scan_.at(at + 1).is('!') &&
      scan_.at(at + 3).is_literal_text()) {
    return scanner::literal_text(scan_, scan_.at(at + 3), scanner::kRust);
  }
  if (!scan_.at(at).is('[') || !scan_.at(at + 1).is_literal_text()) return std::nullopt;
  std::string path;
  for (std::size_t i = at + 1; scan_.at(i).is_literal_text(); i += 2) {
    if (i > at + 1) path += '/';
    path += scanner::literal_text(scan_, scan_.at(i), scanner::kRust).value_or("");
    if (!scan_.at(i + 1).is(',') || path.size() > 4096) break;
  }
  return path;
}

void Judge::string(std::size_t at) {
  const Token& token = scan_.at(at);
  const std::string_view raw = scan_.text(token);
  const std::size_t quote = raw.find('"');
  // ["/", "etc", "shadow"].concat()
  if (scan_.at(at - 1).is('[') && scan_.at(at + 1).is(',') && raw.size() - quote <= 3) {
    const auto path = composed_text(at - 1);
    if (path && scanner::names_system_path(*path, policy_)) {
      report(findings_, "rust-path-outside"_rule, token, *path);
    }
  }
  const bool in_concat = scan_.at(at - 1).is('(') && scan_.is_name(at - 3, "concat");
  const bool path = scanner::may_be_system_path(raw.substr(quote + 1));
  if (!in_concat && !token.has(scanner::kEscaped) && !path) return;
  auto text = scanner::literal_text(scan_, token, scanner::kRust);
  if (!text) return;
  // concat!("/etc", "/shadow")
  for (std::size_t i = at + 1;
       in_concat && scan_.at(i).is(',') && scan_.at(i + 1).is_literal_text(); i += 2) {
    *text += scanner::literal_text(scan_, scan_.at(i + 1), scanner::kRust).value_or("");
  }
  if (scanner::names_system_path(*text, policy_))
    report(findings_, "rust-path-outside"_rule, token, *text);
}

}  // namespace langsbx::languages::rust
