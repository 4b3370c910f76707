// Rule javascript-dynamic-code.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kDynamicCode = {
    "javascript-dynamic-code",
    FindingType::kBlockedFunction,
    Capability::kDynamicCode,
    Severity::kError,
    "'{}' runs text as code",
    "eval, the Function constructor, timers given strings and Node's compile functions run "
    "text that no one has judged.",
    "Call functions; parse data with JSON.parse."};

}  // namespace langsbx::languages::javascript
