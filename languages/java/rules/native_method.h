// Rule java-native-method.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kNativeMethod = {
    "java-native-method",
    FindingType::kDangerousPattern,
    Capability::kNativeCode,
    Severity::kError,
    "a native method",
    "Its body is machine code from a library that can't be judged as source.",
    "Write it in Java."};

}  // namespace langsbx::languages::java
