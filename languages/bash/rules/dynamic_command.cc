// Rule bash-dynamic-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kDynamicCommand = {
    "bash-dynamic-command",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "the command to run is computed: {}",
    "What runs is decided only while the script runs: a variable from outside, a "
    "substitution, a pattern. Variables that hold constants are followed and judged by "
    "their values.",
    "Write the command's name, or choose it in a `case`."};

}  // namespace langsbx::languages::bash
