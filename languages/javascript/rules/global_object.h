// Rule javascript-global-object.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kGlobalObject = {
    "javascript-global-object",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "the global object as a value ({})",
    "Every global, process and require's relatives among them, can be reached from it under "
    "computed names.",
    "Name the global you need; use parameters for configuration."};

}  // namespace langsbx::languages::javascript
