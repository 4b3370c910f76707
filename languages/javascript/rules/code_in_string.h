// Rule javascript-code-in-string.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kCodeInString = {
    "javascript-code-in-string",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "a string that holds code: {}",
    "Text such as 'return process' or 'child_process' has no other use than to be run or "
    "required.",
    "Write code as code."};

}  // namespace langsbx::languages::javascript
