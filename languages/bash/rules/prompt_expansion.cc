// Rule bash-prompt-expansion.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kPromptExpansion = {"bash-prompt-expansion",
                               FindingType::kDangerousPattern,
                               Capability::kDynamicCode,
                               Severity::kError,
                               "expands a value as a prompt: {}",
                               "${x@P} runs the command substitutions inside the value of x.",
                               "Use the value itself."};

}  // namespace langsbx::languages::bash
