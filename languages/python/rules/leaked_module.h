// python-leaked-module: reaches another module through ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kLeakedModule = {
    "python-leaked-module",
    FindingType::kBlockedModule,
    Capability::kIntrospection,
    Severity::kError,
    "reaches another module through {}",
    "Modules keep what they import as attributes: random._os is os. The table of such "
    "attributes is computed from the interpreter's own standard library.",
    "Import the module itself, so that it can be judged."};

}  // namespace langsbx::languages::python
