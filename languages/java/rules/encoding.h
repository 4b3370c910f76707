// Rule java-encoding.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kEncoding = {
    "java-encoding",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "readers may disagree here: {}",
    "Odd blanks and bytes are read differently by different readers.",
    "Use plain blanks and UTF-8."};

}  // namespace langsbx::languages::java
