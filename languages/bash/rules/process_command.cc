// Rule bash-process-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kProcessCommand = {
    "bash-process-command",
    FindingType::kBlockedFunction,
    Capability::kProcessSpawn,
    Severity::kError,
    "'{}' starts other programs",
    "Interpreters, shells, build tools and wrappers with a context of their own run "
    "whatever they are told; literal commands for them are judged as well.",
    "Use the shell itself and the listed text and file tools."};

}  // namespace langsbx::languages::bash
