// Rule bash-source.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kSourceFile = {
    "bash-source",
    FindingType::kDangerousPattern,
    Capability::kDynamicCode,
    Severity::kError,
    "runs a file that cannot be judged: {}",
    "`source` runs a file in this shell. A literal path beside the script is judged with "
    "it; a computed one, one outside, or one this script writes can be anything.",
    "Source a file beside the script by its literal name."};

}  // namespace langsbx::languages::bash
