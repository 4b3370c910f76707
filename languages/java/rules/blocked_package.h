// Rule java-blocked-module.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kBlockedPackage = {
    "java-blocked-module",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "'{}'",
    "A class of the JDK stands for what it reaches for: java.net opens connections, "
    "java.lang.invoke and java.lang.reflect call anything by name, javax.script and "
    "javax.tools run text as code, sun.misc touches raw memory. Imports, static imports, "
    "wildcards and fully qualified names are all seen.",
    "Use the classes that compute (java.util, java.math, java.time, java.text), or a "
    "profile that allows the capability."};

}  // namespace langsbx::languages::java
