// The judge of Go source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "languages/go/packages.h"
#include "languages/language.h"
#include "languages/policy.h"
#include "languages/scanner/scanner.h"

namespace langsbx::languages::go {

void judge_source(const Source& source, const Policy& policy, Findings& findings);
// See Language::follow_reference.
bool follow_reference(PackageSearch& search, const std::string& folder, const Source& source,
                      const LocalReference& reference);

class Judge {
 public:
  Judge(const scanner::Scan& scan, const Policy& policy, Findings& findings)
      : scan_(scan), policy_(policy), findings_(findings) {}
  void run();

 private:
  // imports.cc
  void comments();
  [[nodiscard]] std::size_t imports();
  void import(std::size_t& at);
  void package(std::string_view path, std::size_t at);
  void refer(std::string_view path, const scanner::Token& token, bool required);
  void imply_packages();
  void implied_package(std::size_t at);
  [[nodiscard]] bool is_variable(std::string_view name);
  void bodyless_functions(std::size_t from);

  // judge.cc
  void reflected_members(std::size_t from);
  void member(std::size_t at, const std::string& path);
  [[nodiscard]] bool opens_a_stream(std::size_t open) const;
  void string(std::size_t& at);
  void paths(std::size_t open, const Member& found);
  [[nodiscard]] std::optional<std::string> path_text(std::size_t at, std::size_t& next) const;
  // Literals joined by +; `next` is the token after them.
  [[nodiscard]] std::optional<std::string> sum(std::size_t at, std::size_t& next) const;

  const scanner::Scan& scan_;
  const Policy& policy_;
  Findings& findings_;
  std::unordered_map<std::string, std::string, NameHash, std::equal_to<>>
      packages_;  // by the name used in the file
  scanner::WordFilter package_words_;
  bool reflects_ = false;
  std::optional<std::unordered_set<std::string_view>> variables_;  // see is_variable
  bool implied_ = false;  // no package clause: see imply_packages
};

}  // namespace langsbx::languages::go
