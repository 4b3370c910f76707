// python-text-as-code: text that is run as code: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kTextAsCode = {
    "python-text-as-code",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "text that is run as code: {}",
    "timeit, profile and doctest run strings. A string that can be seen is judged as the "
    "code it is; one that can't is refused.",
    "Pass a function to timeit; keep doctest examples plain."};

}  // namespace langsbx::languages::python
