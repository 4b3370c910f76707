// Rule bash-reverse-shell.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kReverseShell = {
    "bash-reverse-shell",
    FindingType::kNetworkAccess,
    Capability::kNone,
    Severity::kError,
    "hands a shell to the network: {}",
    "A shell whose input or output is a connection obeys whoever is at the other end. No "
    "ordinary program does this.",
    ""};

}  // namespace langsbx::languages::bash
