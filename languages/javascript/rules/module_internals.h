// Rule javascript-module-internals.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kModuleInternals = {
    "javascript-module-internals",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "the module system's own parts: '{}'",
    "module.constructor, require.cache, import.meta and the arguments of the module wrapper "
    "give a require that takes any name.",
    "Use exports and plain imports."};

}  // namespace langsbx::languages::javascript
