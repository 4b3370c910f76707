// Rule bash-arithmetic-code.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kArithmeticCode = {
    "bash-arithmetic-code",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "text that arithmetic would run as a command: {}",
    "Arithmetic, [[ -v ]], unset, declare -i and array subscripts evaluate the value of a "
    "variable, and a subscript in it may hold a command substitution.",
    "Keep substitutions out of strings; check numbers before using them."};

}  // namespace langsbx::languages::bash
