// Attributes, modules in other files, macros and their parameters.
#include "languages/rust/judge.h"
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

// Words that are attributes only in that place.
bool is_blocked_word(std::string_view name) {
  return name == "path" || name == "link" || name == "used" || name == "start" ||
         name == "no_std" || name == "no_core" || name == "plugin" || name == "feature" ||
         is_blocked_attribute(name);
}

// "src/list.rs" has its modules in "list/", main.rs, lib.rs and mod.rs beside themselves.
std::string_view stem_of(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  if (slash != std::string_view::npos) file = file.substr(slash + 1);
  return file.ends_with(".rs") ? file.substr(0, file.size() - 3) : file;
}

}  // namespace

// #[name ...] and #![name ...]
void Judge::attribute(std::size_t at) {
  std::size_t open = at + 1;
  if (scan_.at(open).is('!')) ++open;
  if (!scan_.at(open).is('[')) return;
  const std::size_t end = scanner::after_bracket(scan_, open);
  const Token& first = scan_.at(open + 1);
  if (first.is('$')) {
    // $meta:meta is the matcher; $meta puts it in place.
    const bool matcher = scan_.at(open + 3).is(':');
    if (!matcher && !is_matched_attribute(scan_.text(open + 2)))
      report(findings_, "rust-assembled-path"_rule, first,
             "#[$" + std::string(scan_.text(open + 2)) + "]");
    return;
  }
  const std::string_view name = plain_name(scan_.text(first));
  if (name == "cfg_attr" || name == "unsafe") {
    for (std::size_t i = open + 2; i < end; ++i) {
      if (scan_.at(i).kind == TokenKind::kIdentifier &&
          is_blocked_word(plain_name(scan_.text(i)))) {
        report(findings_, "rust-attribute"_rule, scan_.at(i), scan_.text(i));
      }
    }
    return;
  }
  if (!is_harmless_attribute(name)) {
    report(findings_, "rust-attribute"_rule, first, name);
  }
}

void Judge::module(std::size_t at) {
  const Token& token = scan_.at(at + 1);
  if (token.is('$')) {
    if (!scan_.at(at + 3).is(';')) return;
    return report(findings_, "rust-assembled-path"_rule, token,
                  "mod $" + std::string(scan_.text(at + 2)));
  }
  if (token.kind != TokenKind::kIdentifier) return;
  const std::string_view name = plain_name(scan_.text(token));
  if (scan_.at(at + 2).is('{')) {
    modules_.emplace_back(depth_ + 1, name);
    return;
  }
  if (!scan_.at(at + 2).is(';')) return;
  has_modules_ = true;
  std::string inside;
  for (const auto& [depth, outer] : modules_) inside += std::string(outer) + "/";
  const std::string below = std::string(stem_of(file_)) + "/" + inside + std::string(name);
  inside += name;
  findings_.reference(
      {{inside + ".rs", inside + "/mod.rs", below + ".rs", below + "/mod.rs"}, token.offset, true});
}

void Judge::macro(std::size_t at, std::string_view name, Capability need) {
  const Token& token = scan_.at(at);
  const Token& argument = scan_.at(at + 3);
  const bool literal = scan_.at(at + 1).is('!') && argument.is_literal_text() &&
                       (scan_.at(at + 4).is(')') || scan_.at(at + 4).is(',') ||
                        scan_.at(at + 4).is(']') || scan_.at(at + 4).is('}'));
  if (need == Capability::kFilesOutside && literal) {
    const auto text = scanner::literal_text(scan_, argument, scanner::kRust);
    if (text && place_of_path(*text, policy_, false) == PathPlace::kInside &&
        !text->starts_with('/')) {
      if (name == "include") {
        findings_.reference({{*text}, argument.offset, true});
      } else {
        report(findings_, "rust-blocked-macro"_rule, Capability::kFilesRead, token, name);
      }
      return;
    }
  }
  report(findings_, "rust-blocked-macro"_rule, need, token, name);
}

// Whether all that $name can stand for was written as #[...]: every matcher of the file has it as
// #[$name:meta]. What stands there is judged where it is written.
bool Judge::is_matched_attribute(std::string_view name) {
  if (included_) return false;  // macros of other files may have filled it in
  if (!other_parameters_) {
    other_parameters_.emplace();
    for (std::size_t i = 0; i + 2 < scan_.size(); ++i) {
      if (!scan_.at(i).is('$') || !scan_.at(i + 2).is(':')) continue;
      const bool hash = scan_.at(i - 2).is('#') || scan_.at(i - 2).is('!');
      const bool whole = hash && scan_.at(i - 1).is('[') && scan_.is_name(i + 3, "meta") &&
                         scan_.at(i + 4).is(']');
      if (!whole) other_parameters_->insert(scan_.text(i + 1));
    }
  }
  return !other_parameters_->contains(name);
}

// What macros put together is no path of the standard library where the file has no module's name
// by itself that could be handed to them.
void Judge::assembled_paths() {
  bool alone = pasted_in_ && (included_ || has_modules_);
  tree_ = 0;
  for (std::size_t i = 0; i < scan_.size() && !alone; ++i) {
    const Token& token = scan_.tokens[i];
    if (token.kind != TokenKind::kIdentifier || !bound_words_.may_hold(token.symbol)) continue;
    while (tree_ < use_trees_.size() && use_trees_[tree_].second < i) ++tree_;
    if (tree_ < use_trees_.size() && use_trees_[tree_].first <= i) continue;
    if (scan_.at(i + 1).is(kScope) || scan_.at(i - 1).is('.')) continue;
    const std::string_view root = bound(plain_name(scan_.text(token)), token.symbol);
    if (root.empty()) continue;
    if (root == "std") {
      alone = scan_.text(token) != "core" && scan_.text(token) != "alloc";
      continue;
    }
    const PathMatch match = find_path(root.substr(5));
    alone = match.whole && match.rule->module;  // others were judged where `use` names them
  }
  if (!alone) return;
  for (const std::size_t at : assembled_) {
    report(findings_, "rust-assembled-path"_rule, scan_.at(at),
           "$" + std::string(scan_.text(at + 1)) + "...");
  }
}

// Tokens that a macro puts behind one another in an order of its own: $a $b, $(...)* $(...)*,
// $(...)::*. `at`: a $.
bool Judge::reorders(std::size_t at) const {
  if (scan_.at(at + 1).is('(')) {
    const std::size_t end = scanner::after_bracket(scan_, at + 1, 256);
    if (end == 0 || scan_.at(end).is(kScope)) return true;
    return (scan_.at(end).is('*') || scan_.at(end).is('+')) && scan_.at(end + 1).is('$');
  }
  return scan_.at(at + 2).is('$') && !scan_.at(at + 3).is(':');
}

// In a macro's body: $m!(...) calls a macro by parameter, $a::b and std::$a make paths of them.
void Judge::metavariable(std::size_t at) {
  if (reorders(at) && assembled_.size() < 64) assembled_.push_back(at);
  const Token& name = scan_.at(at + 1);
  if (name.kind != TokenKind::kIdentifier || scan_.text(name) == "crate") return;
  const Token& next = scan_.at(at + 2);
  const std::string shown = "$" + std::string(scan_.text(name));
  if (next.is('!') && !scan_.at(at + 3).is('=') && !next.has(scanner::kSpaceBefore)) {
    return report(findings_, "rust-assembled-path"_rule, scan_.at(at), shown + "!");
  }
  if (!next.is(kScope)) return;
  const Token& member = scan_.at(at + 3);
  const std::string_view segment = plain_name(scan_.text(member));
  const bool blocked = member.kind == TokenKind::kIdentifier &&
                       (ends_blocked_path(segment) || find_path(segment).rule != nullptr);
  if (member.is('$')) {
    if (assembled_.size() < 64) assembled_.push_back(at);
    pasted_in_ = true;
  } else if (blocked) {
    report(findings_, "rust-assembled-path"_rule, scan_.at(at),
           shown + "::" + std::string(segment));
  }
}

}  // namespace langsbx::languages::rust
