// Rule java-profile-name.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kProfileName = {
    "java-profile-name",       FindingType::kBlockedFunction,
    Capability::kNone,         Severity::kError,
    "the profile blocks '{}'", "The administrator listed this name in the profile.",
    "See the profile."};

}  // namespace langsbx::languages::java
