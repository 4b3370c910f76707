// The pid file and the pidfd socket.
#include "runtime/launch/announce.h"

#include <fcntl.h>

#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/socket.h"

namespace langsbx::runtime {

Result<void> announce(pid_t pid, const std::string& pid_file, const std::string& pidfd_socket,
                      std::string_view payload) {
  if (!pid_file.empty()) {
    TRY_CONTEXT(replace_file_at(AT_FDCWD, pid_file, std::to_string(pid), 0644), "--pid-file");
  }
  if (pidfd_socket.empty()) return {};
  const auto socket = TRY_CONTEXT(connect_stream(pidfd_socket), "--pidfd-socket");
  const auto pidfd = TRY(open_pidfd(pid));
  return send_packet(socket.get(), payload, {pidfd.get()});
}

}  // namespace langsbx::runtime
