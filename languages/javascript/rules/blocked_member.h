// Rule javascript-blocked-function.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kBlockedMember = {
    "javascript-blocked-function",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "'{}'",
    "What a function of a module reaches for is not allowed by the profile.",
    "Do without, or use a profile that allows the capability."};

}  // namespace langsbx::languages::javascript
