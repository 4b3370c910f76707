// Rule java-blocked-function.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kBlockedMember = {
    "java-blocked-function",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "'{}'",
    "This method reaches for what the profile does not allow: native libraries, properties "
    "of the virtual machine, the environment, streams of the process.",
    "Do without, or use a profile that allows the capability."};

}  // namespace langsbx::languages::java
