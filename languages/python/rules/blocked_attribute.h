// python-blocked-attribute: uses the attribute ..., which the profile blocks
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kBlockedAttribute = {
    "python-blocked-attribute",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "uses the attribute {}, which the profile blocks",
    "The profile lists the name under attributes.blocked, for any object.",
    "See the profile (`langsbx profiles NAME`)."};

}  // namespace langsbx::languages::python
