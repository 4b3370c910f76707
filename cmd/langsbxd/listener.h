// Where callers connect: TCP on an address, a Unix socket, or what systemd hands over.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cmd/langsbxd/service.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::serve {

class Listener {
 public:
  virtual ~Listener() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  virtual void close() = 0;
};

// Accepts until close(). An error names the address.
Result<std::unique_ptr<Listener>> listen_at(Service& service, const Address& address);
// One that is open and listening.
Result<std::unique_ptr<Listener>> listen_on(Service& service, UniqueFd socket);

}  // namespace langsbx::serve
