// Rule javascript-reference-path.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kReferencePath = {
    "javascript-reference-path",
    FindingType::kFileAccess,
    Capability::kFilesOutside,
    Severity::kError,
    "a compiler or debugger directive names the path '{}'",
    "/// <reference path> and //# sourceMappingURL make tools read that file.",
    "Remove the line or use a relative path."};

}  // namespace langsbx::languages::javascript
