// From a host's name to its addresses. A static binary can't load the C library's name service, so
// /etc/hosts is read here, and the servers of /etc/resolv.conf are asked.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/egress/allow_list.h"

namespace langsbx::egress {

// `host` in the normal form; an address is its own.
Result<std::vector<Address>> resolve(const std::string& host);

// The parts of it.
std::vector<Address> addresses_in_hosts(std::string_view text, std::string_view host);
// A and AAAA records among the answers of a name server's message; nothing of a malformed one.
std::vector<Address> addresses_in_answer(std::span<const unsigned char> message);

}  // namespace langsbx::egress
