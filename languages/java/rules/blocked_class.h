// Rule java-blocked-class.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kBlockedClass = {
    "java-blocked-class",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "'{}'",
    "Classes of java.lang need no import: Runtime and ProcessBuilder start programs, "
    "ClassLoader and ModuleLayer load code, ProcessHandle sees and ends other programs. A "
    "variable, a method reference or a class literal is as good as a call.",
    "Do without; Runtime.getRuntime() may be asked for memory and processors."};

}  // namespace langsbx::languages::java
