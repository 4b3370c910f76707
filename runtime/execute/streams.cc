// Putting pipes in the place of 0, 1 and 2, and back.
#include "runtime/execute/streams.h"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT: posix_openpt is not in <cstdlib>
#include <sys/ioctl.h>
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
  TRY(made.save());
  if (::dup2(input.get(), 0) < 0 || ::dup2(out.write_end.get(), 1) < 0 ||
      ::dup2(err.write_end.get(), 2) < 0) {
    return system_error("dup2");
  }
  made.ours.out = std::move(out.read_end);
  made.ours.err = std::move(err.read_end);
  return made;
}

Result<ProgramStreams> ProgramStreams::make_terminal() {
  TRY(fill_standard_descriptors());
  ProgramStreams made;
  auto& terminal = made.ours.out;
  terminal.reset(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.valid() || ::unlockpt(terminal.get()) != 0) return system_error("posix_openpt");
  const UniqueFd theirs(::ioctl(terminal.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!theirs.valid()) return system_error("open the terminal's other end");
  copy_window_size(terminal.get());
  made.ours.in.reset(::fcntl(terminal.get(), F_DUPFD_CLOEXEC, 3));
  ::fcntl(terminal.get(), F_SETFL, O_NONBLOCK);
  made.ours.terminal = true;
  TRY(made.save());
  for (int fd = 0; fd <= 2; ++fd) {
    if (::dup2(theirs.get(), fd) < 0) return system_error("dup2");
  }
  return made;
}

RawTerminal::RawTerminal(bool wanted) {
  termios settings{};
  if (!wanted || ::tcgetattr(0, &settings) != 0) return;
  before_ = settings;
  ::cfmakeraw(&settings);
  ::tcsetattr(0, TCSANOW, &settings);
}

RawTerminal::~RawTerminal() {
  if (before_) ::tcsetattr(0, TCSANOW, &*before_);
}

void copy_window_size(int terminal) {
  winsize size{};
  if (::ioctl(0, TIOCGWINSZ, &size) == 0) ::ioctl(terminal, TIOCSWINSZ, &size);
}

Result<void> ProgramStreams::save() {
  for (int fd = 0; fd <= 2; ++fd) {
    saved_[fd].reset(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
    if (!saved_[fd].valid()) return system_error("fcntl F_DUPFD_CLOEXEC");
  }
  return {};
}

Result<void> ProgramStreams::restore() {
  Result<void> done;
  for (int fd = 0; fd <= 2; ++fd) {
    if (!saved_[fd].valid()) continue;
    if (::dup2(saved_[fd].get(), fd) < 0) {
      done = system_error("dup2");
      ::close(fd);
    }
    saved_[fd].reset();
  }
  return done;
}

}  // namespace langsbx::execute
