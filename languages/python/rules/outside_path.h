// python-outside-path: a path outside the work directory: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kOutsidePath = {
    "python-outside-path",
    FindingType::kFileAccess,
    Capability::kFilesOutside,
    Severity::kError,
    "a path outside the work directory: {}",
    "Programs read and write next to themselves. Absolute paths, '~' and '..' lead to "
    "what belongs to the system or to others. Paths that are computed are the kernel's to "
    "bound.",
    "Use a relative path, or add the directory to paths.read or paths.write in the "
    "profile."};

}  // namespace langsbx::languages::python
