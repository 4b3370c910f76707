// Rule java-file-path.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kFilePath = {
    "java-file-path",
    FindingType::kFileAccess,
    Capability::kFilesOutside,
    Severity::kError,
    "the path '{}' is outside the work area",
    "Programs may read and write where they work; other paths belong to the system or to "
    "others. Constants and concatenations are followed.",
    "Use relative paths, or list the directory under paths in the profile."};

}  // namespace langsbx::languages::java
