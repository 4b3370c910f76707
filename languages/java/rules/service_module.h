// Rule java-module-declaration.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kServiceModule = {
    "java-module-declaration",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "a module declaration that {}",
    "opens, uses and provides wire classes together by name, outside the code that is "
    "judged.",
    "Compile without module-info.java."};

}  // namespace langsbx::languages::java
