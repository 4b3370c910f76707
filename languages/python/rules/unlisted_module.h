// python-unlisted-module: imports ..., which the profile does not list
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kUnlistedModule = {
    "python-unlisted-module",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "imports {}, which the profile does not list",
    "The profile is exclusive: only the modules it names may be imported, whatever they "
    "can do.",
    "Use a listed module, or add it to modules.additional in a profile of your own."};

}  // namespace langsbx::languages::python
