// Rule bash-fork-bomb.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kForkBomb = {
    "bash-fork-bomb",
    FindingType::kDangerousPattern,
    Capability::kNone,
    Severity::kError,
    "'{}' starts itself again without end",
    "A function that calls itself twice over a pipe or in the background fills the process "
    "table in seconds.",
    ""};

}  // namespace langsbx::languages::bash
