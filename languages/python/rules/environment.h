// python-environment: reads the environment: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kEnvironment = {
    "python-environment",
    FindingType::kDangerousPattern,
    Capability::kEnvironment,
    Severity::kError,
    "reads the environment: {}",
    "Environments carry passwords and keys. One variable asked for by name is fine, "
    "unless the name speaks of a secret; the whole environment is not.",
    "Ask for the one variable you need, by name."};

}  // namespace langsbx::languages::python
