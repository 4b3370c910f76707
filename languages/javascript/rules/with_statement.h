// Rule javascript-with-statement.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kWithStatement = {
    "javascript-with-statement",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "a 'with' statement",
    "Inside it every name may be a member of the object: names no longer mean what they say.",
    "Name the object."};

}  // namespace langsbx::languages::javascript
