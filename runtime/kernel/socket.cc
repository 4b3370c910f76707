// UNIX sockets.
#include "runtime/kernel/socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx {
namespace {

constexpr std::size_t kMaxDescriptors = 32;
constexpr std::size_t kMostBytes = 256U << 10U;

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return make_error(ErrorKind::kInvalidInput, "socket path too long: " + path);
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Result<UniqueFd> connect_to(int type, const std::string& path) {
  UniqueFd fd(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  if (!fd) return system_error("socket");
  // A full backlog: whoever was named (an annotation's path, too) does not hold us for ever.
  constexpr timeval kPatience{5, 0};
  if (type == SOCK_STREAM) {
    ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  }
  const auto address = TRY(address_of(path));
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return system_error("connect " + path);
  }
  return fd;
}

}  // namespace

Result<SocketPair> make_message_pair() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) {
    return system_error("socketpair");
  }
  return SocketPair{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

Result<void> send_packet(int socket, std::string_view data, const std::vector<int>& fds) {
  iovec vector{const_cast<char*>(data.data()), data.size()};
  msghdr header{};
  header.msg_iov = &vector;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxDescriptors)] = {};
  if (!fds.empty()) {
    if (fds.size() > kMaxDescriptors) return make_error(ErrorKind::kInternal, "too many fds");
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
    cmsghdr* message = CMSG_FIRSTHDR(&header);
    message->cmsg_level = SOL_SOCKET;
    message->cmsg_type = SCM_RIGHTS;
    message->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
    std::memcpy(CMSG_DATA(message), fds.data(), sizeof(int) * fds.size());
  }
  while (::sendmsg(socket, &header, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return system_error("sendmsg");
  }
  return {};
}

Result<Packet> receive_packet(int socket, std::size_t limit) {
  // Nearly all messages are a byte: the rest's pages are not touched for them.
  std::array<char, 64> head;
  static std::array<char, kMostBytes> rest;
  if (limit > rest.size()) return make_error(ErrorKind::kInternal, "packet limit too large");
  Packet packet;
  iovec vectors[] = {{head.data(), std::min(limit, head.size())},
                     {rest.data(), limit - std::min(limit, head.size())}};
  msghdr header{};
  header.msg_iov = vectors;
  header.msg_iovlen = std::size(vectors);
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxDescriptors)] = {};
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t count = 0;
  while ((count = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC)) < 0) {
    // The other end was closed with something of ours unread: told once, before what it wrote.
    if (errno == ECONNRESET) packet.unread = true;
    if (errno != EINTR && errno != ECONNRESET) return system_error("recvmsg");
  }
  for (cmsghdr* m = CMSG_FIRSTHDR(&header); count > 0 && m != nullptr;
       m = CMSG_NXTHDR(&header, m)) {
    if (m->cmsg_level != SOL_SOCKET || m->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t fds = (m->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < fds; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(m) + i * sizeof(int), sizeof(int));
      packet.descriptors.emplace_back(fd);
    }
  }
  if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return make_error(ErrorKind::kInternal, "message larger than its limit");
  }
  packet.closed = count == 0;
  const auto size = static_cast<std::size_t>(count);
  packet.data.assign(head.data(), std::min(size, head.size()));
  if (size > head.size()) packet.data.append(rest.data(), size - head.size());
  return packet;
}

Result<UniqueFd> connect_stream(const std::string& path) {
  if (path.size() < sizeof(sockaddr_un::sun_path)) return connect_to(SOCK_STREAM, path);
  const auto target = TRY(open_file(path, O_PATH));
  return connect_to(SOCK_STREAM, descriptor_path(target.get()));
}

Result<UniqueFd> connect_message(int directory, const std::string& name) {
  return connect_to(SOCK_SEQPACKET, descriptor_path(directory) + "/" + name);
}

Result<UniqueFd> listen_message(int directory, const std::string& name) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!fd) return system_error("socket");
  const auto address = TRY(address_of(descriptor_path(directory) + "/" + name));
  if (::fchmod(fd.get(), 0600) != 0) return system_error("fchmod socket");
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return system_error("bind " + name);
  }
  if (::listen(fd.get(), 1) != 0) return system_error("listen " + name);
  return fd;
}

Result<UniqueFd> accept_message(int listener) {
  for (;;) {
    const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd >= 0) return UniqueFd(fd);
    if (errno != EINTR && errno != ECONNABORTED) return system_error("accept");
  }
}

}  // namespace langsbx
