// python-blocked-function: uses ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kBlockedFunction = {
    "python-blocked-function",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "uses {}",
    "The function does what the profile does not allow: administers the system, sends "
    "signals, loads native code, or is listed under functions.blocked.",
    "Do without it, or choose a profile that allows the capability."};

}  // namespace langsbx::languages::python
