// Reading the head, deciding, connecting, copying.
#include "runtime/egress/connection.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

#include "runtime/base/result.h"
#include "runtime/egress/request_head.h"
#include "runtime/egress/resolver.h"

namespace langsbx::egress {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

constexpr std::size_t kLargestHead = 16U << 10U;
constexpr std::size_t kChunk = 32U << 10U;
constexpr seconds kForHead{10};
constexpr seconds kForConnecting{10};
constexpr seconds kIdle{120};
constexpr std::size_t kMostTried = 4;

int left_of(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(0, left));
}

bool wait_for(int fd, short events, Clock::time_point deadline) {
  pollfd entry{fd, events, 0};
  int count = 0;
  do {
    count = ::poll(&entry, 1, left_of(deadline));
  } while (count < 0 && errno == EINTR);
  return count > 0;
}

// Up to and with the empty line; what came behind it goes to `rest`.
Result<std::string> read_head(int client, std::string& rest) {
  const auto deadline = Clock::now() + kForHead;
  std::string text;
  for (;;) {
    const auto end = text.find("\r\n\r\n");
    if (end != std::string::npos) {
      rest = text.substr(end + 4);
      text.resize(end + 4);
      return text;
    }
    if (text.size() > kLargestHead) return make_error(ErrorKind::kInvalidInput, "too long");
    char buffer[4096];
    if (!wait_for(client, POLLIN, deadline)) return make_error(ErrorKind::kTimeout, "too slow");
    const ssize_t count = ::recv(client, buffer, sizeof buffer, 0);
    if (count <= 0) return make_error(ErrorKind::kInvalidInput, "the connection ended");
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

// Descriptors are non-blocking; false when the other end is gone or takes nothing any more.
bool send_all(int fd, std::string_view data) {
  const auto deadline = Clock::now() + kIdle;
  while (!data.empty()) {
    const ssize_t count = ::send(fd, data.data(), data.size(), MSG_NOSIGNAL);
    if (count > 0) {
      data.remove_prefix(static_cast<std::size_t>(count));
    } else if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (!wait_for(fd, POLLOUT, deadline)) return false;
    } else {
      return false;
    }
  }
  return true;
}

void answer(int client, const char* status, const std::string& text) {
  const std::string body = "langsbx: " + text + "\n";
  static_cast<void>(send_all(
      client, std::string("HTTP/1.1 ") + status +
                  "\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(body.size()) +
                  "\r\nConnection: close\r\n\r\n" + body));
}

Result<UniqueFd> connect_to(const Address& address, std::uint16_t port) {
  const int family = address.v6 ? AF_INET6 : AF_INET;
  UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return system_error("socket");
  sockaddr_in6 six{};
  sockaddr_in four{};
  six.sin6_family = AF_INET6;
  six.sin6_port = four.sin_port = htons(port);
  four.sin_family = AF_INET;
  std::memcpy(&six.sin6_addr, address.bytes.data(), sizeof six.sin6_addr);
  std::memcpy(&four.sin_addr, address.bytes.data(), sizeof four.sin_addr);
  const void* const name = address.v6 ? static_cast<const void*>(&six) : &four;
  const socklen_t size = address.v6 ? sizeof six : sizeof four;
  if (::connect(fd.get(), static_cast<const sockaddr*>(name), size) == 0) return fd;
  if (errno != EINPROGRESS) return system_error("connect");
  if (!wait_for(fd.get(), POLLOUT, Clock::now() + kForConnecting)) {
    return system_error("connect", ETIMEDOUT);
  }
  int fault = 0;
  socklen_t length = sizeof fault;
  if (::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &fault, &length) != 0) fault = errno;
  if (fault != 0) return system_error("connect", fault);
  return fd;
}

// The address that was judged is the one that is connected to: nobody asks for the name again.
Result<UniqueFd> connect_first(const std::vector<Address>& addresses, std::uint16_t port) {
  Result<UniqueFd> last = make_error(ErrorKind::kNotFound, "no address");
  for (std::size_t i = 0; i < std::min(addresses.size(), kMostTried); ++i) {
    last = connect_to(addresses[i], port);
    if (last.ok()) return last;
  }
  return last;
}

// One direction. What could not be sent yet is kept, and nothing more is read until it is gone: so
// neither direction waits for the other.
class Flow {
 public:
  Flow(int from, int to, std::uint64_t most) : from_(from), to_(to), left_(most) {}

  [[nodiscard]] bool ended() const { return !open_ && pending_.empty(); }
  [[nodiscard]] pollfd entry() const {
    if (!pending_.empty()) return {to_, POLLOUT, 0};
    return {open_ && left_ > 0 ? from_ : -1, POLLIN, 0};
  }
  // False when the connection is broken.
  bool step() {
    if (pending_.empty() && !receive()) return false;
    if (pending_.empty()) return true;
    const ssize_t count = ::send(to_, pending_.data(), pending_.size(), MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    pending_.erase(0, static_cast<std::size_t>(count));
    return true;
  }

 private:
  bool receive() {
    char buffer[kChunk];
    const auto most = std::min<std::uint64_t>(sizeof buffer, left_);
    const ssize_t count = ::recv(from_, buffer, static_cast<std::size_t>(most), 0);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) {
      open_ = false;
      return ::shutdown(to_, SHUT_WR) == 0;
    }
    left_ -= static_cast<std::uint64_t>(count);
    pending_.assign(buffer, static_cast<std::size_t>(count));
    return true;
  }

  int from_, to_;
  std::uint64_t left_;  // bytes that may still pass
  bool open_ = true;
  std::string pending_;
};

// What the program says behind a counted body is not looked at: it would be another request, to a
// host that nobody judged.
void copy_both(Flow up, Flow down, bool tunnel) {
  while (!down.ended() || (tunnel && !up.ended())) {
    std::array<pollfd, 2> fds = {up.entry(), down.entry()};
    const int count = ::poll(fds.data(), fds.size(), left_of(Clock::now() + kIdle));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    if (fds[0].revents != 0 && !up.step()) return;
    if (fds[1].revents != 0 && !down.step()) return;
  }
}

template <std::size_t kSize>
void put(char (&into)[kSize], const std::string& text) {
  std::memcpy(into, text.data(), std::min(text.size(), kSize - 1));
}

// The addresses that may be connected to, or why there are none.
Result<std::vector<Address>> judge(const RequestHead& head, const AllowList& allowed) {
  const std::string name = head.host + ":" + std::to_string(head.port);
  if (!allowed.allows_host(head.host, head.port)) {
    return make_error(ErrorKind::kRefused, name + " is not an allowed host");
  }
  auto addresses = TRY(resolve(head.host));
  std::erase_if(addresses, [&](const Address& address) {
    return !allowed.allows_address(address, head.port);
  });
  if (addresses.empty()) {
    return make_error(ErrorKind::kRefused,
                      name + " leads to an address that is not public and not allowed itself");
  }
  return addresses;
}

}  // namespace

void serve_connection(UniqueFd client, const AllowList& allowed,
                      const std::function<void(const Asked&)>& tell) {
  Asked asked;
  std::string rest;
  const auto refuse = [&](const char* status, const std::string& why) {
    put(asked.reason, why);
    tell(asked);
    answer(client.get(), status, why);
  };
  const auto text = read_head(client.get(), rest);
  if (!text.ok()) return refuse("400 Bad Request", "request: " + text.error().to_string());
  const auto head = parse_head(*text);
  if (!head.ok()) return refuse("400 Bad Request", "request: " + head.error().to_string());
  put(asked.method, head->method);
  put(asked.host, head->host);
  asked.port = head->port;
  const auto addresses = judge(*head, allowed);
  if (!addresses.ok()) {
    asked.allowed = addresses.error().kind != ErrorKind::kRefused;
    return refuse(asked.allowed ? "502 Bad Gateway" : "403 Forbidden",
                  addresses.error().to_string());
  }
  asked.allowed = true;
  tell(asked);
  const auto server = connect_first(*addresses, head->port);
  if (!server.ok()) {
    return answer(client.get(), "502 Bad Gateway", head->host + ": " + server.error().to_string());
  }
  const std::uint64_t most = head->tunnel ? UINT64_MAX : head->body;
  const std::string early = rest.substr(0, std::min<std::uint64_t>(rest.size(), most));
  if (head->tunnel && !send_all(client.get(), "HTTP/1.1 200 Connection established\r\n\r\n"))
    return;
  if (!send_all(server->get(), head->forward + early)) return;
  copy_both({client.get(), server->get(), most - (head->tunnel ? 0 : early.size())},
            {server->get(), client.get(), UINT64_MAX}, head->tunnel);
}

}  // namespace langsbx::egress
