// What the service is told: one YAML file, and flags that say the same.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cmd/langsbxd/keys.h"
#include "cmd/langsbxd/results.h"
#include "runtime/base/result.h"

namespace langsbx::serve {

struct Config {
  std::vector<std::string> listen;  // "127.0.0.1:8700", "[::1]:8700", "unix:/path"
  std::string state;                // where results, spool and cache are
  std::string audit;                // where a line for each call goes; empty: nowhere
  std::string keys;                 // the file of keys; empty: none are asked for
  std::string runtime;              // langsbx
  std::size_t workers = 0;          // 0: as many as there are processors
  std::size_t waiting = 256, waiting_of_key = 64;
  std::size_t largest_body = 32U << 20U;
  std::size_t connections = 1024;
  std::chrono::seconds read_time{30};       // for the head of a request, and for its body
  std::chrono::seconds stop_time{10};       // for what runs when the service is asked to end
  std::vector<std::string> hosts;           // names of this service in Host and Origin
  std::vector<std::string> callback_hosts;  // whom results may be told to; empty: nobody
  ResultBounds results;
  Allowed allowed;  // to callers without a key: over loopback and Unix sockets, where no keys are
};

// Members: README.md. An error has file, line and column.
Result<void> read_config(const std::string& path, Config& config);
// What can't be together, or not here: an address that anybody reaches without keys.
Result<void> check_config(const Config& config);

struct Address {
  bool unix_socket = false;
  std::string path;  // or
  std::string host;
  std::uint16_t port = 0;
  [[nodiscard]] bool loopback() const;
};
Result<Address> parse_address(const std::string& text);

}  // namespace langsbx::serve
