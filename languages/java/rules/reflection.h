// Rule java-reflection.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kReflection = {
    "java-reflection",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "'{}' reaches classes and members by name",
    "What is reached by reflection is named by strings, which can be put together at run "
    "time: every class of the JDK is one forName away. Class literals, getClass().getName() "
    "and comparisons are fine.",
    "Call methods directly; use interfaces, enums or a map of lambdas to choose at run "
    "time."};

}  // namespace langsbx::languages::java
