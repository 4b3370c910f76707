// Rule java-unicode-escape.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kUnicodeEscape = {
    "java-unicode-escape",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "a \\u escape that changes what the source is",
    "The compiler translates \\u before it looks for comments, strings and names: a comment "
    "can end and code begin where no reader sees it.",
    "Write the character itself, or use the escape inside a string only."};

}  // namespace langsbx::languages::java
