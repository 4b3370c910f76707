// The head of a request to a proxy, read strictly: what is not plainly right is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace langsbx::egress {

struct RequestHead {
  std::string method;
  std::string host;  // normal_host()
  std::uint16_t port = 0;
  bool tunnel = false;  // CONNECT: bytes in both directions; else one request of plain HTTP
  std::string forward;  // the head as the server gets it, in the name of the host that was checked
  std::uint64_t body = 0;  // bytes that follow it
};

// `text` ends with the empty line.
Result<RequestHead> parse_head(std::string_view text);

}  // namespace langsbx::egress
