// python-nesting: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kNesting = {
    "python-nesting",
    FindingType::kLimit,
    Capability::kNone,
    Severity::kError,
    "{}",
    "Judging keeps a stack of open brackets and strings; its depth is limited so that "
    "hostile input cannot exhaust memory.",
    "Nest less deeply, or raise limits.source_nesting in the profile."};

}  // namespace langsbx::languages::python
