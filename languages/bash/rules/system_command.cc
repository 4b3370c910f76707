// Rule bash-system-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kSystemCommand = {
    "bash-system-command",
    FindingType::kSystemCall,
    Capability::kSystemAdmin,
    Severity::kError,
    "'{}' administers the system",
    "Mounts, users, modules, disks and packages belong to whoever builds the image.",
    "Do it in the image."};

}  // namespace langsbx::languages::bash
