// Rule javascript-constructor.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kConstructor = {
    "javascript-constructor",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "a constructor taken from a value ({})",
    "The constructor of any function is Function, which runs text as code: "
    "({}).constructor.constructor('...')(). Class bodies, comparisons, .constructor.name and "
    "new this.constructor() are fine.",
    "Name the class."};

}  // namespace langsbx::languages::javascript
