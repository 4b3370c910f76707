#include "cmd/langsbxd/listener.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cstring>

#include "cmd/langsbxd/session.h"
#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Local = asio::local::stream_protocol;

constexpr auto kWhenShort = std::chrono::milliseconds(100);

Error fault(const std::string& name, const error_code& error) {
  auto made = make_error(ErrorKind::kSystem, "listen on " + name + ": " + error.message());
  made.errno_value = error.value();
  return made;
}

bool speaks_for_us(int socket) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return false;
  return who.uid == 0 || who.uid == ::geteuid();
}

template <typename Protocol>
class Accepting : public Listener {
 public:
  Accepting(Service& service, std::string name, std::string path)
      : service_(service),
        acceptor_(service.loop),
        pause_(service.loop),
        name_(std::move(name)),
        path_(std::move(path)) {}
  ~Accepting() override { close(); }
  Accepting(const Accepting&) = delete;
  Accepting& operator=(const Accepting&) = delete;

  asio::basic_socket_acceptor<Protocol>& acceptor() { return acceptor_; }
  [[nodiscard]] std::string name() const override { return name_; }

  void close() override {
    if (!acceptor_.is_open()) return;
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void accept() {
    // Beyond the bound nobody is taken; they wait in the kernel's queue.
    if (service_.connections >= service_.config.connections) return accept_later();
    acceptor_.async_accept([this](error_code error, typename Protocol::socket socket) {
      if (!acceptor_.is_open() || error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
      const Peer peer = peer_of(socket);
      serve_connection(service_, std::move(socket), peer);
      accept();
    });
  }

 private:
  void accept_later() {
    pause_.expires_after(kWhenShort);
    pause_.async_wait([this](error_code stopped) {
      if (!stopped && acceptor_.is_open()) accept();
    });
  }

  // To be asked before the socket is moved away.
  Peer peer_of(typename Protocol::socket& socket) {
    Peer peer;
    if constexpr (std::is_same_v<Protocol, Local>) {
      peer.address = "unix";
      peer.local = speaks_for_us(socket.native_handle());
    } else {
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      const auto there = socket.remote_endpoint(ignored);
      if (!ignored) peer.address = there.address().to_string();
      const auto here = socket.local_endpoint(ignored);
      peer.loopback = !ignored && here.address().is_loopback();
    }
    return peer;
  }

  Service& service_;
  asio::basic_socket_acceptor<Protocol> acceptor_;
  asio::steady_timer pause_;
  std::string name_, path_;
};

// A socket whose service has ended is in the way; one that somebody answers on is not ours.
Result<void> free_path(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return {};
  if (!S_ISSOCK(status.st_mode)) {
    return make_error(ErrorKind::kAlreadyExists, "listen on unix:" + path + ": a file is there");
  }
  const UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return make_error(ErrorKind::kAlreadyExists,
                      "listen on unix:" + path + ": another service answers there");
  }
  ::unlink(path.c_str());
  return {};
}

template <typename Protocol>
Result<std::unique_ptr<Listener>> open(Service& service, const typename Protocol::endpoint& at,
                                       const std::string& name, const std::string& path) {
  auto made = std::make_unique<Accepting<Protocol>>(service, name, path);
  auto& acceptor = made->acceptor();
  error_code error;
  acceptor.open(at.protocol(), error);
  if (error) return fault(name, error);
  ::fcntl(acceptor.native_handle(), F_SETFD, FD_CLOEXEC);
  if constexpr (std::is_same_v<Protocol, tcp>) {
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
  }
  acceptor.bind(at, error);
  if (error) return fault(name, error);
  if (!path.empty() && ::chmod(path.c_str(), 0660) != 0) return system_error("chmod " + path);
  acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return fault(name, error);
  made->accept();
  return std::unique_ptr<Listener>(std::move(made));
}

template <typename Protocol>
Result<std::unique_ptr<Listener>> take(Service& service, const Protocol& protocol, UniqueFd socket,
                                       const std::string& name) {
  auto made = std::make_unique<Accepting<Protocol>>(service, name, "");
  error_code error;
  made->acceptor().assign(protocol, socket.release(), error);
  if (error) return fault(name, error);
  made->accept();
  return std::unique_ptr<Listener>(std::move(made));
}

}  // namespace

Result<std::unique_ptr<Listener>> listen_at(Service& service, const Address& address) {
  if (address.unix_socket) {
    TRY(free_path(address.path));
    return open<Local>(service, Local::endpoint(address.path), "unix:" + address.path,
                       address.path);
  }
  const tcp::endpoint at(asio::ip::make_address(address.host), address.port);
  auto made = TRY(open<tcp>(service, at, address.host + ":" + std::to_string(address.port), ""));
  return made;
}

Result<std::unique_ptr<Listener>> listen_on(Service& service, UniqueFd socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return system_error("getsockname of a socket that was handed over");
  }
  if (address.ss_family == AF_UNIX) {
    return take<Local>(service, Local(), std::move(socket), "a Unix socket of systemd");
  }
  const auto protocol = address.ss_family == AF_INET6 ? tcp::v6() : tcp::v4();
  return take<tcp>(service, protocol, std::move(socket), "a TCP socket of systemd");
}

}  // namespace langsbx::serve
