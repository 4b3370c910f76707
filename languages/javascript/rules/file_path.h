// Rule javascript-file-path.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kFilePath = {
    "javascript-file-path",
    FindingType::kFileAccess,
    Capability::kFilesOutside,
    Severity::kError,
    "the path '{}' is outside the work area",
    "Programs may read and write where they work; other paths belong to the system or to "
    "others. Paths are followed through concatenation, templates, path.join, URLs and "
    "constants.",
    "Use relative paths, or list the directory under paths in the profile."};

}  // namespace langsbx::languages::javascript
