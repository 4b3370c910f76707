// python-network: reaches the network: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kNetwork = {
    "python-network",
    FindingType::kNetworkAccess,
    Capability::kNetworkConnect,
    Severity::kError,
    "reaches the network: {}",
    "The profile allows no connections; data could leave, and code come in.",
    "Read the data from a file or standard input."};

}  // namespace langsbx::languages::python
