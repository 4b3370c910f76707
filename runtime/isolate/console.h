// The container's terminal and its standard streams.
#pragma once

#include <sys/types.h>

#include <optional>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::isolate {

struct ConsoleOptions {
  int root = -1;    // the container's root
  int socket = -1;  // where the master goes
  uid_t owner = 0;
  std::optional<oci::ConsoleSize> size;
  bool bind_console = true;  // /dev/console; not for exec
  // Its output is copied to the caller's streams: line ends are translated once, by the caller's
  // terminal, and a file or a pipe gets none of it.
  bool relayed = false;
};
// Opens a pty of the container's own devpts, sends the master, and gives the slave.
Result<UniqueFd> open_console(const ConsoleOptions& options);
// New session with `terminal` as controlling terminal and standard streams.
Result<void> take_console(int terminal);
// Gives the standard streams to the container's user (and group, when one is given), so that
// /dev/stdout can be reopened.
Result<void> give_streams_to(uid_t owner, std::optional<gid_t> group);

}  // namespace langsbx::isolate
