// Rule bash-path-outside.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kPathOutside = {
    "bash-path-outside",
    FindingType::kFileAccess,
    Capability::kFilesOutside,
    Severity::kError,
    "a path outside the work directory: {}",
    "A script reads and writes beside itself. Paths are judged after quotes and variables "
    "are resolved, redirections and options included.",
    "Use relative paths without '..', or list the directory under `paths` in the profile."};

}  // namespace langsbx::languages::bash
