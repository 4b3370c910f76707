// The program's standard streams: pipes whose other ends are ours.
#pragma once

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
  ProgramStreams(ProgramStreams&&) noexcept = default;
  ProgramStreams& operator=(ProgramStreams&&) = delete;
  ~ProgramStreams() { restore(); }
  void restore();

  Streams ours;

 private:
  ProgramStreams() = default;
  UniqueFd saved_[3];
};

}  // namespace langsbx::execute
