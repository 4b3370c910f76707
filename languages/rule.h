// A rule is a value: what it is called, what it protects, why, and what to do instead.
#pragma once

#include "languages/finding.h"
#include "runtime/base/short_text.h"

namespace langsbx::languages {

struct Rule {
  ShortText<31> id;  // names the fault: "python-blocked-module", "bash-recursive-delete-root"
  FindingType type = FindingType::kDangerousPattern;
  Capability capability = Capability::kNone;
  Severity severity = Severity::kError;
  ShortText<95> summary;   // one line; "{}" stands for the detail of the finding
  ShortText<319> why;      // the explanation `langsbx rules ID` prints
  ShortText<127> instead;  // what to do instead, or empty
};

}  // namespace langsbx::languages
