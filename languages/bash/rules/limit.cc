// Rule bash-limit.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kLimit = {
    "bash-limit",
    FindingType::kLimit,
    Capability::kNone,
    Severity::kError,
    "too much to judge: {}",
    "Nesting, the number of commands and text that is expanded again and again are capped, "
    "so that hostile input costs no more than its length.",
    "Split the script."};

}  // namespace langsbx::languages::bash
