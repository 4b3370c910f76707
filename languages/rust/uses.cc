// `use` trees and crates: what every name in the file is bound to.
#include "languages/rust/judge.h"
#include "languages/rust/rules.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/literal_text.h"

namespace langsbx::languages::rust {
namespace {

using scanner::kScope;
using scanner::plain_name;
using scanner::report;
using scanner::TokenKind;

constexpr scanner::WordFilter kUseWords{std::to_array<std::string_view>({"use", "extern"})};
constexpr scanner::WordFilter kDeclaringWords{
    std::to_array<std::string_view>({"mod", "enum", "struct", "trait", "type", "union"})};

}  // namespace

std::string_view Judge::bound(std::string_view name) const {
  return bound(name, scanner::name_hash(name));
}

std::string_view Judge::bound(std::string_view name, std::uint16_t hash) const {
  if (name.empty() || !bound_words_.may_hold(hash)) return {};
  const auto found = bound_.find(name);
  return found == bound_.end() ? std::string_view() : std::string_view(found->second);
}

// Bound by the file itself: modules of a program are also called core or alloc.
bool Judge::is_alias(std::string_view name) const {
  name = plain_name(name);
  return !is_root_crate(name) && !bound(name).empty();
}

void Judge::bind(std::string_view name, const std::string& path) {
  if (name.empty()) return;
  bound_words_.add(name);
  risky_names_ |= path == "std" && !is_root_crate(name);  // by itself it can be handed to a macro
  if (path.size() > 5) {
    const PathMatch match = find_path(std::string_view(path).substr(5));
    risky_names_ |= match.rule != nullptr && match.rule->capability != Capability::kNone;
    risky_names_ |= find_macro(std::string_view(path).substr(path.rfind(':') + 1)) != nullptr;
  }
  bound_.insert_or_assign(std::string(name), path);
}

// Before all else: a name can be used above the line that binds it.
void Judge::find_uses() {
  for (const char* root : {"std", "core", "alloc"}) bind(root, "std");
  find_own_names();
  std::size_t next = 0;
  for (const std::uint32_t i : scan_.marks) {
    const Token& token = scan_.tokens[i];
    if (i < next || token.kind != TokenKind::kIdentifier || !kUseWords.may_hold(token.symbol)) {
      continue;
    }
    if (scan_.text(i) == "use") {
      std::size_t at = i + 1;
      use_tree(at, "", 0);
      use_trees_.emplace_back(i, at - 1);
      next = at;
    } else if (scan_.text(i) == "extern" && scan_.is_name(i + 1, "crate")) {
      extern_crate(i + 2);
    }
  }
  // Only now all names are known that the file itself binds.
  for (const auto& [name, at] : used_crates_) crate(name, at);
}

// path :: { tree, tree } | path :: * | path [as name]
void Judge::use_tree(std::size_t& at, const std::string& prefix, std::size_t depth) {
  std::string path = prefix;
  if (scan_.at(at).is(kScope)) ++at;
  while (scan_.at(at).kind == TokenKind::kIdentifier) {
    std::string_view name = plain_name(scan_.text(at));
    const bool self = name == "self" && !path.empty();
    const bool outer = name == "super" || name == "crate" || name == "self";
    if (path.empty() && outer && scan_.at(at + 1).is(kScope) && is_alias(scan_.text(at + 2))) {
      at += 2;  // super::my::process where the file has `use std as my`
      continue;
    }
    if (path.empty()) {
      const std::string_view root = bound(name);
      if (root.empty() && prefix.empty()) used_crates_.emplace_back(name, at);
      path = root.empty() ? "?" + std::string(name) : std::string(root);
    } else if (!self) {
      path += "::";
      path += name;
    }
    ++at;
    if (!scan_.at(at).is(kScope)) {
      std::string_view alias = self ? std::string_view() : name;
      if (self) alias = std::string_view(path).substr(path.rfind(':') + 1);
      const std::size_t where = at - 1;
      if (scan_.is_name(at, "as")) {
        alias = plain_name(scan_.text(at + 1));
        at += 2;
      }
      return use_leaf(path, alias, where);
    }
    ++at;
  }
  if (scan_.at(at).is('*')) {
    globs_ = true;
    use_glob(path, at);
    ++at;
  } else if (scan_.at(at).is('{') && depth < 64) {
    ++at;
    while (at < scan_.size() && !scan_.at(at).is('}')) {
      const std::size_t before = at;
      use_tree(at, path, depth + 1);
      if (scan_.at(at).is(',')) ++at;
      if (at == before) ++at;
    }
    ++at;
  } else if (scan_.at(at).is('$') && (path.starts_with("std") || path.empty())) {
    if (scan_.text(at + 1) != "crate") {
      report(findings_, "rust-assembled-path"_rule, scan_.at(at), "use " + path + "::$");
    }
    ++at;
  }
}

void Judge::use_leaf(const std::string& path, std::string_view alias, std::size_t at) {
  if (!path.starts_with("std")) {
    if (path.find("::") != std::string::npos) own_names_.emplace(alias);
    return;
  }
  if (alias != "_" && !(path == "std" && is_root_crate(alias))) {
    bind(alias, path);
  }
  in_use_ = true;
  check_path(path, at, at);
  in_use_ = false;
}

void Judge::use_glob(const std::string& path, std::size_t at) {
  if (path == "std") return report(findings_, "rust-glob-import"_rule, scan_.at(at), "std");
  if (!path.starts_with("std::")) return;
  if (is_left_out(path)) {
    return report(findings_, "rust-glob-import"_rule, Capability::kNone, scan_.at(at), path);
  }
  const PathMatch match = find_path(std::string_view(path).substr(5));
  if (match.rule != nullptr && match.rule->capability != Capability::kNone) {
    report(findings_, "rust-glob-import"_rule, match.rule->capability, scan_.at(at), path);
  }
  each_member(std::string_view(path).substr(5),
              [&](std::string_view name) { bind(name, path + "::" + std::string(name)); });
}

void Judge::extern_crate(std::size_t at) {
  const std::string_view name = plain_name(scan_.text(at));
  std::string_view alias = name;
  if (scan_.is_name(at + 1, "as")) alias = plain_name(scan_.text(at + 2));
  if (is_root_crate(name)) {
    if (alias != name) bind(alias, "std");
    return;
  }
  used_crates_.emplace_back(name, at);  // asked when all names are known
}

void Judge::crate(std::string_view name, std::size_t at) {
  if (policy_.modules_blocked.contains(name)) {
    return report(findings_, "rust-blocked-crate"_rule, Capability::kNone, scan_.at(at), name);
  }
  if (policy_.modules_allowed.contains(name)) return;
  if (policy_.modules_exclusive && !may_be_local(name)) {
    return report(findings_, "rust-blocked-crate"_rule, Capability::kNone, scan_.at(at), name);
  }
  if (const Capability* need = find_crate(name)) {
    if (*need != Capability::kNone)
      report(findings_, "rust-blocked-crate"_rule, *need, scan_.at(at), name);
    return;
  }
  if (may_be_local(name)) return;
  if (policy_.allows(Capability::kNativeCode)) return;
  // The program's own library is judged with it; of another, nobody knows what it does.
  LocalReference reference;
  reference.package = name;
  reference.offset = scan_.at(at).offset;
  reference.required = true;
  reference.missing = &"rust-blocked-crate"_rule;
  reference.detail = std::string(name) + ", which is not known";
  findings_.reference(std::move(reference));
}

// Modules and types of the program; a glob import can bring in any name.
bool Judge::may_be_local(std::string_view name) const {
  return name == "crate" || name == "self" || name == "super" || name == "Self" ||
         own_names_.contains(name) || globs_ || is_primitive(name);
}

// What the file declares under a name that a path can begin with.
void Judge::find_own_names() {
  for (const std::uint32_t i : scan_.marks) {
    const Token& token = scan_.tokens[i];
    if (token.kind != TokenKind::kIdentifier || !kDeclaringWords.may_hold(token.symbol)) continue;
    const std::string_view word = scan_.text(token);
    const bool declares = word == "mod" || word == "enum" || word == "struct" || word == "trait" ||
                          word == "type" || word == "union";
    if (declares) own_names_.emplace(plain_name(scan_.text(i + 1)));
  }
}

}  // namespace langsbx::languages::rust
