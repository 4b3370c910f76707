// Rule javascript-require-value.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kRequireValue = {
    "javascript-require-value",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "'require' used as a value ({})",
    "Once require is stored, passed, bound or asked for members, the modules it loads can no "
    "longer be told from the source.",
    "Call require('name') directly."};

}  // namespace langsbx::languages::javascript
