// Rule javascript-process-member.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kProcessMember = {
    "javascript-process-member",
    FindingType::kSystemCall,
    Capability::kNone,
    Severity::kError,
    "'{}'",
    "process reaches the operating system: environment, signals, identities, native modules. "
    "Arguments, standard streams, exit and timing are fine.",
    "Use argv, stdin and stdout."};

}  // namespace langsbx::languages::javascript
