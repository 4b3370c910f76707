// A datagram socket in the container's directory, bound into the container.
#include "runtime/notify_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"
#include "runtime/kernel/process.h"

namespace langsbx::runtime {
namespace {

constexpr const char* kDirectory = "notify";
constexpr const char* kInside = "/run/notify";

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return make_error(ErrorKind::kInvalidInput, "NOTIFY_SOCKET: path too long");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  // systemd writes abstract names with '@'.
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  return address;
}

Result<void> send_to(const std::string& path, std::string_view text) {
  const UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) return system_error("socket");
  const auto address = TRY(address_of(path));
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  if (::sendto(fd.get(), text.data(), text.size(), MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&address), length) < 0) {
    return system_error("NOTIFY_SOCKET: send");
  }
  return {};
}

bool is_ready(std::string_view message) {
  while (!message.empty()) {
    const auto end = message.find('\n');
    if (message.substr(0, end).starts_with("READY=")) return true;
    if (end == std::string_view::npos) break;
    message.remove_prefix(end + 1);
  }
  return false;
}

// Anything but READY is the program's own business; only readiness crosses the boundary.
Result<bool> wait_ready(int socket, int pidfd) {
  for (;;) {
    pollfd fds[2] = {{socket, POLLIN, 0}, {pidfd, POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return system_error("poll");
    }
    if (fds[0].revents != 0) {
      char buffer[4096];
      const ssize_t count = ::recv(socket, buffer, sizeof buffer, 0);
      if (count > 0 && is_ready({buffer, static_cast<std::size_t>(count)})) return true;
      continue;
    }
    if (fds[1].revents != 0) return false;
  }
}

}  // namespace

Result<void> add_notify_socket(oci::Spec& spec, const std::string& root, const std::string& id) {
  const char* outer = ::getenv("NOTIFY_SOCKET");
  if (outer == nullptr || *outer == '\0') return {};
  oci::Mount mount;
  mount.destination = kInside;
  mount.type = "bind";
  mount.source = root + "/" + id + "/" + kDirectory;
  mount.options = {"bind", "nosuid", "noexec", "nodev"};
  spec.mounts.push_back(std::move(mount));
  spec.process->env.push_back(std::string("NOTIFY_SOCKET=") + kInside + "/notify.sock");
  return {};
}

Result<void> open_notify_socket(const state::Container& container, state::Record& record) {
  const char* outer = ::getenv("NOTIFY_SOCKET");
  if (outer == nullptr || *outer == '\0') return {};
  if (::mkdirat(container.fd(), kDirectory, 0755) != 0) return system_error("mkdir notify");
  record.notify_socket = outer;
  return {};
}

Result<UniqueFd> bind_notify_socket(const state::Container& container,
                                    const state::Record& record) {
  if (record.notify_socket.empty()) return UniqueFd();
  UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) return system_error("socket");
  const std::string path = descriptor_path(container.fd()) + "/" + kDirectory + "/notify.sock";
  const auto address = TRY(address_of(path));
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return system_error("bind notify.sock");
  }
  // The program may run as any user.
  if (::fchmodat(container.fd(), "notify/notify.sock", 0777, 0) != 0) {
    return system_error("chmod notify.sock");
  }
  return fd;
}

Result<void> relay_notify(const UniqueFd& socket, const state::Record& record) {
  if (!socket.valid()) return {};
  const auto init = TRY(open_pidfd(record.init_pid));
  if (!TRY(wait_ready(socket.get(), init.get()))) return {};
  return send_to(record.notify_socket, "READY=1\nMAINPID=" + std::to_string(record.init_pid));
}

}  // namespace langsbx::runtime
