// Rule bash-native-code.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kNativeCode = {
    "bash-native-code",
    FindingType::kBlockedFunction,
    Capability::kNativeCode,
    Severity::kError,
    "loads machine code: {}",
    "`enable -f`, preloaded libraries and kernel modules run code that no parser here "
    "reads.",
    ""};

}  // namespace langsbx::languages::bash
