// Rule javascript-process-value.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kProcessValue = {
    "javascript-process-value",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "'process' used as a value ({})",
    "Handed on or asked for a computed member, process gives native bindings and every "
    "module.",
    "Use the members you need: process.argv, process.stdin."};

}  // namespace langsbx::languages::javascript
