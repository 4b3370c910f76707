// Waiting for a program in the foreground: signals go to it, its terminal is relayed.
#pragma once

#include <functional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/kernel/outlet.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::runtime {

// Made before the program is launched, so that no signal is lost: from here on all signals that can
// be forwarded are blocked and queued.
class Supervisor {
 public:
  Supervisor() = default;
  static Result<Supervisor> start();
  Supervisor(Supervisor&&) noexcept = default;
  Supervisor& operator=(Supervisor&&) noexcept = default;
  ~Supervisor();

  // A socket for the program's terminal; its master is received by wait().
  Result<int> console_socket();
  // wait() calls `handle` whenever `fd` is readable, until it says false.
  void watch(int fd, std::function<bool()> handle);
  // Takes the terminal's master, relays until the program ends; its status as a shell's.
  Result<int> wait(ChildProcess& child);

 private:
  Result<void> receive_console();
  // True when one of them asks to end.
  bool forward_signals(const ChildProcess& child);
  void relay_rest(const ChildProcess& child, Outlet& screen);
  void resize() const;

  UniqueFd signals_;
  UniqueFd console_ours_;
  UniqueFd console_theirs_;
  UniqueFd master_;
  std::string saved_terminal_;
  int watched_ = -1;
  std::function<bool()> handle_watched_;
};

}  // namespace langsbx::runtime
