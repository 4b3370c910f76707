// Rule javascript-profile-name.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kProfileName = {
    "javascript-profile-name", FindingType::kBlockedFunction,
    Capability::kNone,         Severity::kError,
    "the profile blocks '{}'", "The administrator listed this name in the profile.",
    "See the profile."};

}  // namespace langsbx::languages::javascript
