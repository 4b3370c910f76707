// python-introspection: looks into the interpreter: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kIntrospection = {
    "python-introspection",
    FindingType::kBlockedFunction,
    Capability::kIntrospection,
    Severity::kError,
    "looks into the interpreter: {}",
    "Namespaces, frames and module tables lead from any object to every module that is "
    "loaded, and so to everything the profile does not allow.",
    "Keep what you need in variables or a dictionary of your own."};

}  // namespace langsbx::languages::python
