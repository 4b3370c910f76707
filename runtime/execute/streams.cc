// Putting pipes in the place of 0, 1 and 2, and back.
#include "runtime/execute/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

// A caller may have closed any of 0, 1 and 2: then a pipe of ours would get that number.
Result<void> fill_standard_descriptors() {
  for (;;) {
    auto fd = TRY(open_file("/dev/null", O_RDWR));
    if (fd.get() > 2) return {};
    static_cast<void>(fd.release());
  }
}

}  // namespace

Result<Pipe> make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return system_error("pipe2");
  return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

Result<ProgramStreams> ProgramStreams::make(bool with_input) {
  TRY(fill_standard_descriptors());
  ProgramStreams made;
  auto out = TRY(make_pipe());
  auto err = TRY(make_pipe());
  UniqueFd input;
  if (with_input) {
    auto in = TRY(make_pipe());
    input = std::move(in.read_end);
    made.ours.in = std::move(in.write_end);
    ::fcntl(made.ours.in.get(), F_SETFL, O_NONBLOCK);
  } else {
    input = TRY(open_file("/dev/null", O_RDONLY));
  }
  for (int fd = 0; fd <= 2; ++fd) made.saved_[fd].reset(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  if (::dup2(input.get(), 0) < 0 || ::dup2(out.write_end.get(), 1) < 0 ||
      ::dup2(err.write_end.get(), 2) < 0) {
    return system_error("dup2");
  }
  made.ours.out = std::move(out.read_end);
  made.ours.err = std::move(err.read_end);
  return made;
}

void ProgramStreams::restore() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (!saved_[fd].valid()) continue;
    ::dup2(saved_[fd].get(), fd);
    saved_[fd].reset();
  }
}

}  // namespace langsbx::execute
