// Rule javascript-unknown-module.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kUnknownModule = {
    "javascript-unknown-module",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "the module '{}' is not known",
    "A package that is not part of Node.js can reach for anything, and its code is not judged "
    "with the program.",
    "Add the package under modules.additional in the profile, or carry its source as local "
    "files, which are judged."};

}  // namespace langsbx::languages::javascript
