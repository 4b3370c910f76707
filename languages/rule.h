// A rule is a row of a language's table: what it is called, what it protects, what it says, why,
// and what to do instead. `langsbx rules` prints it; findings and SARIF take their texts from it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string_view>

#include "languages/finding.h"

namespace langsbx::languages {

struct Rule {
  std::string_view id;  // names the fault: "python-blocked-module", "bash-recursive-delete-root"
  FindingType type = FindingType::kDangerousPattern;
  Capability capability = Capability::kNone;
  Severity severity = Severity::kError;
  std::string_view message = {};  // one line; "{}" stands for the detail of the finding
  std::string_view why = {};      // the explanation `langsbx rules ID` prints
  std::string_view instead = {};  // what to do instead, or empty
};

// The row of that id. Only the compiler calls it, and refuses an id that has no row: what a judge
// reports is always listed.
consteval const Rule& row_of(std::span<const Rule> rules, std::string_view id) {
  for (const Rule& rule : rules) {
    if (rule.id == id) return rule;
  }
  std::abort();
}

}  // namespace langsbx::languages
