// Rule go-path-outside.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kPathOutside = {
    "go-path-outside",
    FindingType::kFileAccess,
    Capability::kFilesOutside,
    Severity::kError,
    "names {}, which is outside the work area",
    "The path leads to the system's or another program's files.",
    "Use paths relative to the work directory, or list the directory in the profile."};

}  // namespace langsbx::languages::go
