// Rule bash-shadowed-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kShadowedCommand = {
    "bash-shadowed-command",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kWarning,
    "the function '{}' has the name of a command",
    "A reader takes the call for the command. Calls are judged as the function only behind "
    "a definition that is certain to have run, else as the command.",
    "Give the function another name."};

}  // namespace langsbx::languages::bash
