// Rule bash-unknown-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kUnknownCommand = {
    "bash-unknown-command",
    FindingType::kBlockedFunction,
    Capability::kProcessSpawn,
    Severity::kError,
    "'{}' is no command this profile knows",
    "A program that is not in the table may do anything. A function of the script counts "
    "only behind its definition.",
    "Use a listed command, or add the name under `commands: additional` in a profile of "
    "your own."};

}  // namespace langsbx::languages::bash
