// python-file-access: accesses files: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kFileAccess = {
    "python-file-access",
    FindingType::kFileAccess,
    Capability::kFilesRead,
    Severity::kError,
    "accesses files: {}",
    "The profile does not allow this use of files: reading, writing or deleting, each is "
    "a capability of its own.",
    "Read from standard input and write to standard output, or choose a profile that "
    "allows files."};

}  // namespace langsbx::languages::python
