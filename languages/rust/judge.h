// The judge of Rust source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/language.h"
#include "languages/policy.h"
#include "languages/rust/names.h"
#include "languages/scanner/scanner.h"

namespace langsbx::languages::rust {

void judge_source(const Source& source, const Policy& policy, Findings& findings);
// See Language::follow_reference.
bool follow_reference(PackageSearch& search, const std::string& folder, const Source& source,
                      const LocalReference& reference);

class Judge {
 public:
  Judge(const scanner::Scan& scan, const Policy& policy, Findings& findings, std::string_view file,
        bool included)
      : scan_(scan), policy_(policy), findings_(findings), file_(file), included_(included) {}
  void run();

 private:
  using Token = scanner::Token;
  using Names = std::unordered_map<std::string, std::string, NameHash, std::equal_to<>>;

  // uses.cc
  void find_uses();
  void use_tree(std::size_t& at, const std::string& prefix, std::size_t depth);
  void use_leaf(const std::string& path, std::string_view alias, std::size_t at);
  void use_glob(const std::string& path, std::size_t at);
  void extern_crate(std::size_t at);
  void crate(std::string_view name, std::size_t at);
  void find_own_names();
  [[nodiscard]] bool may_be_local(std::string_view name) const;
  // "std::process" of a first segment: a root crate, or what it was bound to. Empty: neither.
  [[nodiscard]] bool is_alias(std::string_view name) const;
  [[nodiscard]] std::string_view bound(std::string_view name) const;
  [[nodiscard]] std::string_view bound(std::string_view name, std::uint16_t hash) const;

  // judge.cc
  void run_with_names();
  std::size_t token(std::size_t at);
  std::size_t identifier(std::size_t at);
  std::size_t path(std::size_t at, std::string_view root);
  [[nodiscard]] bool is_handed_over(std::size_t at) const;
  [[nodiscard]] bool is_left_out(std::string_view path) const;
  void check_path(const std::string& path, std::size_t first, std::size_t last);
  bool keyword(std::size_t at, std::string_view name);
  void string(std::size_t at);
  [[nodiscard]] bool harmless_variable(std::string_view path, std::size_t last) const;
  [[nodiscard]] std::optional<std::string> composed_text(std::size_t at) const;
  void whole_tree(std::string_view path, std::size_t last);
  void file_argument(std::size_t open, Capability need);

  // items.cc
  void attribute(std::size_t at);
  void module(std::size_t at);
  void macro(std::size_t at, std::string_view name, Capability need);
  void metavariable(std::size_t at);
  [[nodiscard]] bool is_matched_attribute(std::string_view name);
  void assembled_paths();
  [[nodiscard]] bool reorders(std::size_t at) const;

  const scanner::Scan& scan_;
  const Policy& policy_;
  Findings& findings_;
  std::string_view file_;
  bool included_;
  void bind(std::string_view name, const std::string& path);

  Names bound_;
  NameSet own_names_;
  std::vector<std::pair<std::string_view, std::size_t>> used_crates_;
  std::vector<std::pair<std::size_t, std::size_t>> use_trees_;  // first and last token, in order
  bool has_modules_ = false;                                    // in other files
  bool in_use_ = false;                                         // their crates were asked before
  bool globs_ = false;
  scanner::WordFilter bound_words_;
  // A name bound by `use` needs a capability by itself: uses of it are no marked words.
  bool risky_names_ = false;
  std::vector<std::size_t> assembled_;  // where macros put paths together
  bool pasted_in_ = false;              // by $a::$b
  // Parameters of macros that stand for more than what a written #[...] holds.
  std::optional<std::unordered_set<std::string_view>> other_parameters_;
  std::size_t tree_ = 0;  // the use tree that may hold the current token
  std::vector<std::pair<std::size_t, std::string_view>> modules_;  // inline: depth and name
  std::size_t depth_ = 0;
};

}  // namespace langsbx::languages::rust
