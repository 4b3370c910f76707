// Rule javascript-network-global.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kNetworkGlobal = {
    "javascript-network-global",
    FindingType::kNetworkAccess,
    Capability::kNetworkConnect,
    Severity::kError,
    "'{}' opens a connection",
    "fetch, WebSocket and their kind are globals: no import gives them away.",
    "Read data from standard input or from files."};

}  // namespace langsbx::languages::javascript
