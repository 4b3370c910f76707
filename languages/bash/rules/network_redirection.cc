// Rule bash-network-redirection.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kNetworkRedirection = {
    "bash-network-redirection",
    FindingType::kNetworkAccess,
    Capability::kNetworkConnect,
    Severity::kError,
    "a redirection that opens a connection: {}",
    "Bash itself connects for /dev/tcp/HOST/PORT and /dev/udp: no program is needed.",
    "Use a profile that allows network.connect."};

}  // namespace langsbx::languages::bash
