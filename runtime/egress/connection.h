// One connection to the proxy, from the first byte to the last.
#pragma once

#include <cstdint>
#include <functional>

#include "runtime/egress/allow_list.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::egress {

// What was asked for, and what became of it. A fixed size: it is written to a pipe in one piece.
struct Asked {
  bool allowed = false;
  std::uint16_t port = 0;
  char method[16] = {};
  char host[256] = {};
  char reason[200] = {};  // why nothing was sent on; may be a name without address, too
};

// Returns when the connection has ended. `tell` is called once, before anything is sent on.
void serve_connection(UniqueFd client, const AllowList& allowed,
                      const std::function<void(const Asked&)>& tell);

}  // namespace langsbx::egress
