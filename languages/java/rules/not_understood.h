// Rule java-not-understood.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kNotUnderstood = {
    "java-not-understood",       FindingType::kSyntax,
    Capability::kNone,           Severity::kError,
    "not understood: {}",        "What the guard can't read the way the compiler does, it refuses.",
    "Check the file with javac."};

}  // namespace langsbx::languages::java
