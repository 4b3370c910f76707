// Rule javascript-native-code.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kNativeCode = {
    "javascript-native-code",
    FindingType::kDangerousPattern,
    Capability::kNativeCode,
    Severity::kError,
    "native code: '{}'",
    "WebAssembly and .node files run machine code that can't be judged as source.",
    "Write it in JavaScript."};

}  // namespace langsbx::languages::javascript
