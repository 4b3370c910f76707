// Rule bash-file-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kFileCommand = {
    "bash-file-command",
    FindingType::kFileAccess,
    Capability::kFilesWrite,
    Severity::kError,
    "'{}' does to files what the profile does not allow",
    "Reading, writing and deleting are three capabilities; each command needs its own.",
    "Use a profile that allows it."};

}  // namespace langsbx::languages::bash
