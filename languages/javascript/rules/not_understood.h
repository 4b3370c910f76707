// Rule javascript-not-understood.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kNotUnderstood = {
    "javascript-not-understood",
    FindingType::kSyntax,
    Capability::kNone,
    Severity::kError,
    "not understood: {}",
    "What the guard can't read the way the interpreter does, it refuses.",
    "Check the file with node --check; split ambiguous lines."};

}  // namespace langsbx::languages::javascript
