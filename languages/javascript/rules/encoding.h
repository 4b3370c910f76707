// Rule javascript-encoding.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kEncoding = {
    "javascript-encoding",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "readers may disagree here: {}",
    "Escapes in names, HTML-like comments and odd blanks are read differently by different "
    "readers.",
    "Write plain names and // comments."};

}  // namespace langsbx::languages::javascript
