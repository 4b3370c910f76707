// Rule bash-delete-root.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kDeleteRoot = {
    "bash-delete-root",
    FindingType::kFileAccess,
    Capability::kNone,
    Severity::kError,
    "destroys what the system or the user stands on: {}",
    "A recursive delete or change of the root, a system directory or the home directory is "
    "never meant, also not as \"$UNSET/\"*.",
    "Name the directory to delete, relative to the work directory."};

}  // namespace langsbx::languages::bash
