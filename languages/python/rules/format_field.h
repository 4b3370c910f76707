// python-format-field: a format field reads the attribute ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kFormatField = {
    "python-format-field",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "a format field reads the attribute {}",
    "Fields of str.format follow attributes, so '{0.__init__.__globals__}' reads what is "
    "behind the object.",
    "Format the value itself."};

}  // namespace langsbx::languages::python
