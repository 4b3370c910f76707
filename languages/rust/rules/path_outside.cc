// Rule rust-path-outside.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kPathOutside = {
    "rust-path-outside",
    FindingType::kFileAccess,
    Capability::kFilesOutside,
    Severity::kError,
    "names {}, which is outside the work area",
    "The path leads to the system's or another program's files.",
    "Use paths relative to the work directory, or list the directory in the profile."};

}  // namespace langsbx::languages::rust
