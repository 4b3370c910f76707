// python-syntax: not understood: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kSyntax = {
    "python-syntax",
    FindingType::kSyntax,
    Capability::kNone,
    Severity::kError,
    "not understood: {}",
    "What the scanner cannot read it cannot judge, and an interpreter of another version "
    "may read it differently.",
    "Correct the source."};

}  // namespace langsbx::languages::python
