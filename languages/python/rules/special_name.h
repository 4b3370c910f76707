// python-special-name: uses the special name ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kDunder = {
    "python-special-name",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "uses the special name {}",
    "Special names lead from any object to its class, from there to every class, to "
    "functions' globals and to the builtins. Those that ordinary programs use are "
    "allowed: __init__, __name__, __class__, operators.",
    "Use the function or operator that the special name stands for."};

}  // namespace langsbx::languages::python
