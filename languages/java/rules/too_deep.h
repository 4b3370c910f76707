// Rule java-too-deep.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kTooDeep = {
    "java-too-deep",
    FindingType::kLimit,
    Capability::kNone,
    Severity::kError,
    "nested too deep or too large",
    "Judging is bounded in time and memory.",
    "Split the expression or the file, or raise the limits of the profile."};

}  // namespace langsbx::languages::java
