// A rule is a value: what it is called, what it protects, why, and what to do instead.
#pragma once

#include <string_view>

#include "languages/finding.h"

namespace langsbx::languages {

struct Rule {
  std::string_view id;  // names the fault: "python-blocked-module", "bash-recursive-delete-root"
  FindingType type = FindingType::kDangerousPattern;
  Capability capability = Capability::kNone;
  Severity severity = Severity::kError;
  std::string_view summary;  // one line; "{}" stands for the detail of the finding
  std::string_view why;      // the explanation `langsbx rules ID` prints
  std::string_view instead;  // what to do instead, or empty
};

}  // namespace langsbx::languages
