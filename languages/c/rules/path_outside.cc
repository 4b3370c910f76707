// Rule c-path-outside.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kPathOutside = {
    "c-path-outside",
    FindingType::kFileAccess,
    Capability::kFilesOutside,
    Severity::kError,
    "names {}, which is outside the work area",
    "The path leads to the system's or another program's files.",
    "Use paths relative to the work directory, or list the directory in the profile."};

}  // namespace langsbx::languages::c
