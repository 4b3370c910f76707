// Rule bash-shell-dialect.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kShellDialect = {
    "bash-shell-dialect",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "sh reads this as other commands than bash does: {}",
    "The first line names sh. There [[ is a word like any other, so what follows && inside "
    "it runs as a command, (( )) are two subshells, and $'..' is a dollar before a text that ends "
    "at the next quote.",
    "Use [ ], $(( )) and printf, or say bash in the first line."};

}  // namespace langsbx::languages::bash
