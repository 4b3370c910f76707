// Rule bash-network-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kNetworkCommand = {
    "bash-network-command",
    FindingType::kNetworkAccess,
    Capability::kNetworkConnect,
    Severity::kError,
    "'{}' uses the network",
    "Data can leave and code can arrive through it.",
    "Give the container the data as files, or use a profile that allows network.connect."};

}  // namespace langsbx::languages::bash
