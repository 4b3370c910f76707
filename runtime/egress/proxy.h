// The proxy of one sandbox: it listens inside the sandbox's network namespace, which has no other
// way out, and connects outside of it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "runtime/egress/connection.h"
#include "runtime/kernel/process.h"

namespace langsbx::egress {

// On the namespace's own loopback device, so that nothing else can have it.
inline constexpr std::uint16_t kPort = 3128;
inline constexpr std::string_view kUrl = "http://127.0.0.1:3128";

// In the network namespace of whoever calls this; the socket stays in it, whoever it is given to.
Result<UniqueFd> open_listener();

class Proxy {
 public:
  Proxy() = default;
  // As root the proxy becomes user `uid`. It ends with the object, and with us.
  static Result<Proxy> start(UniqueFd listener, uid_t uid, const AllowList& allowed);

  // Readable when the program asked for something; -1: there is no proxy.
  [[nodiscard]] int requests() const { return requests_.get(); }
  // What was asked for since the last call.
  std::vector<Asked> take_requests();

 private:
  ChildProcess process_;
  UniqueFd requests_;
};

}  // namespace langsbx::egress
