// python-star-import: imports every name of ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kStarImport = {
    "python-star-import",
    FindingType::kBlockedModule,
    Capability::kIntrospection,
    Severity::kError,
    "imports every name of {}",
    "A star import brings names in that stand nowhere in the source, among them some that "
    "reach out.",
    "Import the names you use."};

}  // namespace langsbx::languages::python
