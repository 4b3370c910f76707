// Rule bash-dynamic-code.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kDynamicCode = {
    "bash-dynamic-code",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "text is run as code: {}",
    "`eval`, `alias`, callbacks and programs given as variables turn data into commands. "
    "Literal text is judged like the script itself, the rest cannot be.",
    "Call commands and functions directly; use arrays for argument lists."};

}  // namespace langsbx::languages::bash
