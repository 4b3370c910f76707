// From Beast's request to a Call, and what is looked at before anybody handles it.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>

#include "cmd/langsbxd/call.h"
#include "cmd/langsbxd/config.h"

namespace langsbx::serve {

Call call_of(const boost::beast::http::request<boost::beast::http::string_body>& head);

// Why a browser's page of somebody else may not call: a Host that is not ours (DNS rebinding), or
// an Origin that is another's.
std::optional<std::string> check_origin(const Call& call, const Config& config, bool loopback);

// One JSON line on stderr, without key, path or source: what the route is called, not what was
// asked for.
void log_access(const Call& call, std::string_view route, unsigned status, double seconds);
// What is wrong with the service itself, in the same log.
void log_fault(const std::string& message);

std::string percent_decoded(std::string_view text, bool plus_is_space);

}  // namespace langsbx::serve
