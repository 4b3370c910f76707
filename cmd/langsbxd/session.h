// One connection: requests one after the other, each with its answer.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>

#include "cmd/langsbxd/service.h"

namespace langsbx::serve {

struct Peer {
  bool local = false;     // over a Unix socket, as root or as the user of the service
  std::string address;    // "192.0.2.1", or "unix"
  bool loopback = false;  // Host and Origin are looked at: a browser may be made to call us
};

void serve_connection(Service& service, boost::asio::generic::stream_protocol::socket socket,
                      Peer peer);

}  // namespace langsbx::serve
