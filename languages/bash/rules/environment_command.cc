// Rule bash-environment-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kEnvironmentCommand = {
    "bash-environment-command",
    FindingType::kBlockedFunction,
    Capability::kEnvironment,
    Severity::kError,
    "'{}' reads or changes the environment of programs",
    "`env` starts programs in an environment of its own, and the environment holds tokens.",
    "Use the variables the script needs by name."};

}  // namespace langsbx::languages::bash
