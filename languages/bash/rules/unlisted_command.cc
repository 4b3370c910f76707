// Rule bash-unlisted-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kUnlistedCommand = {
    "bash-unlisted-command",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "'{}' is not among the commands this profile allows",
    "The profile lists the commands that may run. Wrappers (`timeout`, `xargs`, `find "
    "-exec`) and quoting are looked through.",
    "Use a listed command, or add the name under `commands: additional` in a profile of "
    "your own."};

}  // namespace langsbx::languages::bash
