// A datagram socket in the container's directory, bound into the container.
#include "runtime/launch/notify_socket.h"

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
#include "runtime/launch/opened.h"

namespace langsbx::runtime {
namespace {

constexpr const char* kDirectory = "notify";

bool is_crun(const std::string& runtime_name) { return runtime_name == "crun"; }

// Where runc and crun put the directory, and what they call the socket in it.
std::string directory_inside(const std::string& runtime_name, const std::string& outer) {
  if (!is_crun(runtime_name)) return "/run/notify";
  return outer.starts_with('/') ? outer : "/" + outer;
}
std::string socket_name(const std::string& runtime_name) {
  return is_crun(runtime_name) ? "notify" : "notify.sock";
}

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
  // A full queue holds up the program's supervisor for so long at most.
  constexpr timeval kPatience{1, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
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

}  // namespace

namespace {

[[gnu::noinline]] void add_mount(oci::Spec& spec, const std::string& root, const std::string& id,
                                 const std::string& runtime_name, const char* outer) {
  oci::Mount mount;
  mount.destination = directory_inside(runtime_name, outer);
  mount.type = "bind";
  mount.source = root + "/" + id + "/" + kDirectory;
  // A socket is sent to on a read-only mount, too. Written to, it would be the host's memory that
  // the container fills, and ours to clear.
  mount.options = {"bind", "nosuid", "noexec", "nodev", "ro"};
  spec.process->env.push_back("NOTIFY_SOCKET=" + mount.destination + "/" +
                              socket_name(runtime_name));
  spec.mounts.push_back(std::move(mount));
}

}  // namespace

Result<void> add_notify_socket(oci::Spec& spec, const std::string& root, const std::string& id,
                               const std::string& runtime_name) {
  const char* outer = ::getenv("NOTIFY_SOCKET");
  if (outer != nullptr && *outer != '\0') add_mount(spec, root, id, runtime_name, outer);
  return {};
}

Result<void> open_notify_socket(const state::Container& container, state::Record& record) {
  const char* outer = ::getenv("NOTIFY_SOCKET");
  if (outer == nullptr || *outer == '\0') return {};
  if (::mkdirat(container.fd(), kDirectory, 0755) != 0) return system_error("mkdir notify");
  // Whatever the caller's umask is: the container's root may be another user here.
  if (::fchmodat(container.fd(), kDirectory, 0755, 0) != 0) return system_error("chmod notify");
  record.notify_socket = outer;
  return {};
}

Result<UniqueFd> bind_notify_socket(const state::Container& container,
                                    const state::Record& record) {
  if (record.notify_socket.empty()) return UniqueFd();
  UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) return system_error("socket");
  const std::string name = std::string(kDirectory) + "/" + socket_name(record.runtime_name);
  const std::string path = descriptor_path(container.fd()) + "/" + name;
  const auto address = TRY(address_of(path));
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return system_error("bind " + name);
  }
  // The program may run as any user.
  if (::fchmodat(container.fd(), name.c_str(), 0777, 0) != 0) {
    return system_error("chmod " + name);
  }
  return fd;
}

// Anything but READY is the program's own business; only readiness crosses the boundary.
Result<bool> pass_on_notification(const UniqueFd& socket, const state::Record& record) {
  char buffer[4096];
  const ssize_t count = ::recv(socket.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (count <= 0 || !is_ready({buffer, static_cast<std::size_t>(count)})) return false;
  std::string message = "READY=1";
  if (!is_crun(record.runtime_name)) message += "\nMAINPID=" + std::to_string(record.init_pid);
  TRY(send_to(record.notify_socket, message));
  return true;
}

Result<void> relay_notify(const UniqueFd& socket, const state::Record& record) {
  if (!socket.valid()) return {};
  const auto init = open_init(record);
  if (!init.ok()) {
    // It has ended; what it sent before still counts.
    TRY(pass_on_notification(socket, record));
    return {};
  }
  for (;;) {
    pollfd fds[2] = {{socket.get(), POLLIN, 0}, {init->get(), POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return system_error("poll");
    }
    if (fds[0].revents != 0) {
      if (TRY(pass_on_notification(socket, record))) return {};
    } else if (fds[1].revents != 0) {
      return {};
    }
  }
}

}  // namespace langsbx::runtime
