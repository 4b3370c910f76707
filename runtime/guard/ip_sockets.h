// Ways into the network that Landlock's rules on TCP ports do not see, as a seccomp filter: UDP
// (before ABI 10), ICMP, MPTCP and SCTP, data sent while TCP connects, listening without bind().
#pragma once

#include <optional>
#include <string_view>

#include "languages/profile.h"
#include "runtime/confine/seccomp.h"

namespace langsbx::guard {

// Nothing where the profile leaves the network to its container. `network: none` without ports: no
// socket of IP at all.
[[nodiscard]] std::optional<confine::SeccompSource> ip_sockets(const languages::Profile& profile);

// Whether a filter of that name is one of these.
[[nodiscard]] bool is_ip_sockets(std::string_view filter);

}  // namespace langsbx::guard
