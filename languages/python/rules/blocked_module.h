// python-blocked-module: imports ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kBlockedModule = {
    "python-blocked-module",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "imports {}",
    "The module gives a capability that the profile does not allow: subprocess starts "
    "programs, socket reaches the network, ctypes runs native code. Importing it is the "
    "earliest place to say so.",
    "Do without it, or choose a profile that allows the capability."};

}  // namespace langsbx::languages::python
