// The program's standard streams: pipes whose other ends are ours.
#pragma once

#include <termios.h>

#include <optional>

#include "runtime/base/result.h"
#include "runtime/execute/watch.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::execute {

struct Pipe {
  UniqueFd read_end, write_end;
};
Result<Pipe> make_pipe();

// While it lives, 0, 1 and 2 are the program's: a child made now inherits them.
class ProgramStreams {
 public:
  static Result<ProgramStreams> make(bool with_input);
  // All three are one new terminal.
  static Result<ProgramStreams> make_terminal();
  ProgramStreams(ProgramStreams&&) noexcept = default;
  ProgramStreams& operator=(ProgramStreams&&) = delete;
  ~ProgramStreams() { static_cast<void>(restore()); }
  // An end of the program's that stayed here would keep its output open for ever: what cannot be
  // put back is closed, and an error.
  Result<void> restore();

  Streams ours;

 private:
  ProgramStreams() = default;
  Result<void> save();
  UniqueFd saved_[3];
};

// While it lives, keys that are typed at our terminal go to the program's as they are. Nothing
// happens when our standard input is no terminal.
class RawTerminal {
 public:
  explicit RawTerminal(bool wanted);
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  ~RawTerminal();

 private:
  std::optional<termios> before_;
};
// Ours to the program's, at the start and whenever it changes.
void copy_window_size(int terminal);

}  // namespace langsbx::execute
