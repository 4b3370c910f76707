// Rule bash-interactive-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kInteractiveCommand = {
    "bash-interactive-command",
    FindingType::kBlockedFunction,
    Capability::kInteractive,
    Severity::kError,
    "'{}' is an interactive program",
    "Editors, pagers and debuggers offer a shell to whoever sits in front of them, and to "
    "scripts through their options.",
    "Use sed, awk or the shell itself."};

}  // namespace langsbx::languages::bash
