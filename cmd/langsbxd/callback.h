// Tells a result to an address that its caller named: by PUT over HTTP, three times at most.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/egress/allow_list.h"

namespace langsbx::serve {

// Whom results may be told to, as the configuration names it: "host" or "host:port".
struct CallbackHost {
  std::string name, port;  // no port: any
  std::vector<egress::Address> addresses;
};
// Looks the names up, once. A name that nobody knows is an error, as a misspelt member is.
Result<std::vector<CallbackHost>> find_callback_hosts(const std::vector<std::string>& names);

struct CallbackAddress {
  std::string host, target;
  std::uint16_t port = 80;
  std::vector<egress::Address> addresses;
};
// "http://host[:port]/path" of such a host; an error says what is wrong with it. Without hosts
// nobody is called: a caller could reach what only we can.
Result<CallbackAddress> parse_callback(const std::string& url,
                                       const std::vector<CallbackHost>& hosts);

// Ends by itself; nobody waits for it.
void call_back(boost::asio::io_context& loop, const CallbackAddress& address, std::string body);

}  // namespace langsbx::serve
