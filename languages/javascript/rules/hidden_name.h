// Rule javascript-hidden-name.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kHiddenName = {
    "javascript-hidden-name",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "a name put together at run time: {}",
    "A member or module name is assembled from pieces although it could be written out; this "
    "is how naive checks are passed.",
    "Write the member's name."};

}  // namespace langsbx::languages::javascript
