// Rule javascript-computed-module.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kComputedModule = {
    "javascript-computed-module",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "a module whose name is not in the source: {}",
    "require() and import() of a computed name load whatever the name becomes at run time.",
    "Write the module's name as one string."};

}  // namespace langsbx::languages::javascript
