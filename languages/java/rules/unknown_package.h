// Rule java-unknown-module.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kUnknownPackage = {
    "java-unknown-module",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "the package of '{}' is not known",
    "A library can reach for anything and its code is not judged with the program.",
    "Add the package under modules.additional in the profile, or carry its source beside "
    "the program."};

}  // namespace langsbx::languages::java
