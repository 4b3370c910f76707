// Writing to a descriptor that was handed to us without ever waiting for whoever reads it.
//
// O_NONBLOCK belongs to the open file, which our caller and other programs share with us, and a
// write after poll(2) still waits when one of them was faster. So each call says by itself that it
// will not wait: splice(2) out of a pipe of our own where a pipe is written, send(2) for a socket.
// Terminals are opened anew; files and devices do not wait for readers.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx {

class Outlet {
 public:
  // Where the kernel refuses the ways above (another user's terminal): pieces this small, when poll
  // says that there is room.
  static constexpr std::size_t kSmall = 256;

  Outlet() = default;
  explicit Outlet(int fd);  // not ours to close
  // An open file that nobody shares with us, made O_NONBLOCK by now.
  static Outlet onto_own(int fd);

  void add(std::string_view text) { queue_.append(text); }
  // Writes what is taken right now; an error: nobody reads any more, the disk is full.
  Result<void> flush();
  // Drops what was not taken.
  void clear();
  [[nodiscard]] std::size_t pending() const { return queue_.size() + inside_; }
  // When to flush again.
  [[nodiscard]] pollfd polled() const { return {pending() > 0 ? writable_fd() : -1, POLLOUT, 0}; }

 private:
  enum class Kind : std::uint8_t { kPlain, kPipe, kSocket, kSmallPieces };

  [[nodiscard]] int writable_fd() const { return reopened_.valid() ? reopened_.get() : fd_; }
  // The number of bytes that left; 0: it would have to wait.
  Result<std::size_t> push();
  Result<std::size_t> push_through_pipe();
  Result<void> take_back();
  [[nodiscard]] ssize_t write_once() const;

  int fd_ = -1;
  Kind kind_ = Kind::kPlain;
  UniqueFd reopened_;
  std::string queue_;
  UniqueFd read_end_, write_end_;  // our pipe, for kPipe
  std::size_t inside_ = 0;         // bytes in it
};

// All of `text`. Where SIGTERM can end us it waits for the reader; a process that has blocked it
// has others in its charge, and gives up after a second.
Result<void> write_out(int fd, std::string_view text, std::string_view name);
// The same for what is queued already.
Result<void> drain(Outlet& outlet, std::chrono::milliseconds patience, std::string_view name);

}  // namespace langsbx
