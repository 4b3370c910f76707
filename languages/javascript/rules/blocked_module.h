// Rule javascript-blocked-module.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kBlockedModule = {
    "javascript-blocked-module",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "the module '{}'",
    "A module of Node.js stands for what it reaches for: child_process starts programs, net "
    "and http open connections, vm, module and worker_threads run text as code. Static and "
    "dynamic imports, require, re-exports and aliases are all seen.",
    "Use the parts of the standard library that compute, or a profile that allows the "
    "capability."};

}  // namespace langsbx::languages::javascript
