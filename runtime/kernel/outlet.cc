// splice, send and reopened terminals.
#include "runtime/kernel/outlet.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "runtime/kernel/file.h"

namespace langsbx {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPatience{1000};

bool would_wait() { return errno == EAGAIN || errno == EINTR; }

bool may_wait(int fd) {
  pollfd writable{fd, POLLOUT, 0};
  return ::poll(&writable, 1, 0) <= 0;
}

bool is_master(int fd) {
  unsigned number = 0;
  return ::ioctl(fd, TIOCGPTN, &number) == 0;
}

bool is_blocked(int signal) {
  sigset_t blocked;
  ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
  return sigismember(&blocked, signal) == 1;
}

}  // namespace

Outlet::Outlet(int fd) : fd_(fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return;
  if (S_ISFIFO(info.st_mode)) {
    kind_ = Kind::kPipe;
  } else if (S_ISSOCK(info.st_mode)) {
    kind_ = Kind::kSocket;
  } else if (S_ISCHR(info.st_mode) && is_master(fd)) {
    kind_ = Kind::kSmallPieces;  // opened anew it would be another terminal
  } else if (S_ISCHR(info.st_mode) && ::isatty(fd) == 1) {
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    auto own = open_file(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    if (own.ok()) {
      reopened_ = own.release_value();
    } else {
      kind_ = Kind::kSmallPieces;
    }
  }
}

Outlet Outlet::onto_own(int fd) {
  Outlet made;
  made.fd_ = fd;
  return made;
}

Result<void> Outlet::flush() {
  while (pending() > 0) {
    if (TRY(push()) == 0) return {};
  }
  return {};
}

void Outlet::clear() {
  queue_.clear();
  inside_ = 0;
  read_end_.reset();
  write_end_.reset();
}

ssize_t Outlet::write_once() const {
  if (kind_ == Kind::kSocket) {
    return ::send(fd_, queue_.data(), queue_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  if (kind_ == Kind::kPlain) return ::write(writable_fd(), queue_.data(), queue_.size());
  if (may_wait(fd_)) {
    errno = EAGAIN;
    return -1;
  }
  return ::write(fd_, queue_.data(), std::min(queue_.size(), kSmall));
}

Result<std::size_t> Outlet::push() {
  if (kind_ == Kind::kPipe) return push_through_pipe();
  const ssize_t count = write_once();
  if (count < 0 && would_wait()) return 0;
  if (count < 0) return system_error("write");
  queue_.erase(0, static_cast<std::size_t>(count));
  return static_cast<std::size_t>(count);
}

Result<std::size_t> Outlet::push_through_pipe() {
  if (!read_end_.valid()) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return system_error("pipe2");
    read_end_.reset(ends[0]);
    write_end_.reset(ends[1]);
  }
  if (!queue_.empty()) {
    const ssize_t count = ::write(write_end_.get(), queue_.data(), queue_.size());
    if (count < 0 && !would_wait()) return system_error("write to our pipe");
    if (count > 0) {
      queue_.erase(0, static_cast<std::size_t>(count));
      inside_ += static_cast<std::size_t>(count);
    }
  }
  const ssize_t moved =
      ::splice(read_end_.get(), nullptr, fd_, nullptr, inside_, SPLICE_F_NONBLOCK);
  if (moved >= 0) {
    inside_ -= static_cast<std::size_t>(moved);
    return static_cast<std::size_t>(moved);
  }
  if (would_wait()) return 0;
  // An outer filter, or a kind of pipe that is not spliced.
  const bool refused = errno == EINVAL || errno == ENOSYS || errno == EPERM || errno == EACCES;
  if (!refused) return system_error("splice");
  TRY(take_back());
  return push();
}

Result<void> Outlet::take_back() {
  std::string text(inside_, '\0');
  const ssize_t count = ::read(read_end_.get(), text.data(), text.size());
  if (count != static_cast<ssize_t>(inside_)) return system_error("read from our pipe");
  queue_.insert(0, text);
  inside_ = 0;
  kind_ = Kind::kSmallPieces;
  return {};
}

Result<void> drain(Outlet& outlet, milliseconds patience, std::string_view name) {
  const auto until = steady_clock::now() + patience;
  for (;;) {
    TRY_CONTEXT(outlet.flush(), std::string(name));
    if (outlet.pending() == 0) return {};
    const auto left = std::chrono::ceil<milliseconds>(until - steady_clock::now());
    if (left.count() <= 0) {
      return make_error(ErrorKind::kTimeout, "write " + std::string(name) + ": nobody reads it");
    }
    pollfd writable = outlet.polled();
    ::poll(&writable, 1, static_cast<int>(left.count()));
  }
}

Result<void> write_out(int fd, std::string_view text, std::string_view name) {
  if (!is_blocked(SIGTERM)) return write_fd(fd, text, name);
  Outlet outlet(fd);
  outlet.add(text);
  return drain(outlet, kPatience, name);
}

}  // namespace langsbx
