// Rule javascript-prototype.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kPrototype = {
    "javascript-prototype",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "'{}' reaches into objects behind the program",
    "__proto__, property descriptors, stack hooks and callers lead from a harmless value to "
    "Function, to module internals or to other code's data.",
    "Use classes, Object.keys and Object.create."};

}  // namespace langsbx::languages::javascript
