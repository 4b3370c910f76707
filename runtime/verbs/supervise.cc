// Signal forwarding and the pty relay of run and exec.
#include "runtime/verbs/supervise.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>

#include "runtime/kernel/outlet.h"
#include "runtime/kernel/socket.h"

namespace langsbx::runtime {
namespace {

// Takes what is there; false when either side is gone.
bool copy_available(int from, Outlet& into) {
  char buffer[16384];
  const ssize_t count = ::read(from, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  into.add({buffer, static_cast<std::size_t>(count)});
  return into.flush().ok();
}

// No more is read before all of it was taken: a reader that lags behind makes the program wait.
pollfd readable(int from, const Outlet& into) {
  return {into.pending() > 0 ? -1 : from, POLLIN, 0};
}

}  // namespace

Result<Supervisor> Supervisor::start() {
  sigset_t all;
  sigfillset(&all);
  // Faults of our own must still kill us; children are watched by their pidfd.
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP}) {
    sigdelset(&all, signal);
  }
  if (::sigprocmask(SIG_BLOCK, &all, nullptr) != 0) return system_error("sigprocmask");
  Supervisor supervisor;
  supervisor.signals_.reset(::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!supervisor.signals_) return system_error("signalfd");
  return supervisor;
}

Supervisor::~Supervisor() {
  if (!saved_terminal_.empty()) {
    termios settings{};
    std::memcpy(&settings, saved_terminal_.data(), sizeof settings);
    ::tcsetattr(0, TCSADRAIN, &settings);
  }
}

Result<int> Supervisor::console_socket() {
  auto pair = TRY(make_message_pair());
  console_ours_ = std::move(pair.first);
  console_theirs_ = std::move(pair.second);
  return console_theirs_.get();
}

Result<void> Supervisor::receive_console() {
  if (!console_ours_.valid()) return {};
  console_theirs_.reset();
  auto packet = TRY_CONTEXT(receive_packet(console_ours_.get()), "console");
  console_ours_.reset();
  if (packet.descriptors.empty()) return make_error(ErrorKind::kSystem, "console: no terminal");
  master_ = std::move(packet.descriptors.front());
  // Its open file is ours alone: init has closed its end.
  if (::fcntl(master_.get(), F_SETFL, O_NONBLOCK) != 0) return system_error("fcntl");
  termios settings{};
  if (::tcgetattr(0, &settings) == 0) {
    saved_terminal_.assign(reinterpret_cast<const char*>(&settings), sizeof settings);
    ::cfmakeraw(&settings);
    settings.c_oflag |= OPOST;  // the container's pty leaves line ends to it
    ::tcsetattr(0, TCSANOW, &settings);
  }
  resize();
  return {};
}

void Supervisor::resize() const {
  winsize size{};
  if (master_.valid() && ::ioctl(0, TIOCGWINSZ, &size) == 0) {
    ::ioctl(master_.get(), TIOCSWINSZ, &size);
  }
}

bool Supervisor::forward_signals(const ChildProcess& child) {
  bool to_end = false;
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGWINCH) resize();
    // SIGCHLD: as a subreaper we get the orphans of what we made.
    if (signal == SIGCHLD || signal == SIGPIPE || signal == SIGWINCH || signal == SIGURG) continue;
    to_end =
        to_end || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
    static_cast<void>(signal_pidfd(child.pidfd(), signal));
  }
  return to_end;
}

void Supervisor::watch(int fd, std::function<bool()> handle) {
  watched_ = fd;
  handle_watched_ = std::move(handle);
}

Result<int> Supervisor::wait(ChildProcess& child) {
  TRY(receive_console());
  auto screen = master_.valid() ? Outlet(STDOUT_FILENO) : Outlet();
  auto keyboard = Outlet::onto_own(master_.get());
  bool input_open = master_.valid();
  bool ended = false;
  while (!ended) {
    pollfd fds[] = {{child.pidfd(), POLLIN, 0},
                    {signals_.get(), POLLIN, 0},
                    readable(master_.get(), screen),
                    input_open ? readable(STDIN_FILENO, keyboard) : pollfd{-1, 0, 0},
                    {watched_, POLLIN, 0},
                    screen.polled(),
                    master_.valid() ? keyboard.polled() : pollfd{-1, 0, 0}};
    if (::poll(fds, std::size(fds), -1) < 0 && errno != EINTR) return system_error("poll");
    if (fds[1].revents != 0) forward_signals(child);
    if (fds[2].revents != 0 && !copy_available(master_.get(), screen)) master_.reset();
    if (fds[3].revents != 0 && !copy_available(STDIN_FILENO, keyboard)) input_open = false;
    if (!master_.valid()) input_open = false;
    if (fds[4].revents != 0 && !handle_watched_()) watched_ = -1;
    if (fds[5].revents != 0 && !screen.flush().ok()) master_.reset();
    if (fds[6].revents != 0 && !keyboard.flush().ok()) input_open = false;
    ended = fds[0].revents != 0;
  }
  relay_rest(child, screen);
  return child.wait();
}

// What the program wrote last is still in the pty. A signal now means us: nobody else is there.
void Supervisor::relay_rest(const ChildProcess& child, Outlet& screen) {
  for (;;) {
    if (screen.pending() == 0) {
      pollfd rest{master_.get(), POLLIN, 0};
      if (!master_.valid() || ::poll(&rest, 1, 0) <= 0) return;
      if (!copy_available(master_.get(), screen)) master_.reset();
      if (screen.pending() == 0) continue;
    }
    pollfd fds[] = {screen.polled(), {signals_.get(), POLLIN, 0}};
    if (::poll(fds, std::size(fds), -1) < 0 && errno != EINTR) return;
    if (fds[1].revents != 0 && forward_signals(child)) return;
    if (!screen.flush().ok()) return;
  }
}

}  // namespace langsbx::runtime
