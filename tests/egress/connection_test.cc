// A proxied connection over socket pairs; the server is a listener on a loopback port that the
// kernel picks.
#include "runtime/egress/connection.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>
#include <thread>

namespace langsbx::egress {
namespace {

class Server {
 public:
  Server() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd_.get(), 1), 0);
    EXPECT_EQ(::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  [[nodiscard]] std::string name() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] UniqueFd take() const {
    return UniqueFd(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  }

 private:
  UniqueFd fd_;
  std::uint16_t port_ = 0;
};

std::string read_some(int fd) {
  char buffer[4096];
  const ssize_t count = ::read(fd, buffer, sizeof buffer);
  return count > 0 ? std::string(buffer, static_cast<std::size_t>(count)) : std::string();
}

void say(int fd, const std::string& text) {
  EXPECT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

// A client whose other end is being served.
class Client {
 public:
  explicit Client(const std::vector<std::string>& allowed) : allowed_(*AllowList::parse(allowed)) {
    int fds[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    EXPECT_EQ(::fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
    fd_.reset(fds[0]);
    thread_ = std::thread([this, theirs = fds[1]] {
      serve_connection(UniqueFd(theirs), allowed_, [this](const Asked& asked) { asked_ = asked; });
    });
  }
  ~Client() {
    fd_.reset();
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] int fd() const { return fd_.get(); }
  Asked asked() {
    if (thread_.joinable()) thread_.join();
    return asked_.value_or(Asked());
  }

 private:
  AllowList allowed_;
  UniqueFd fd_;
  std::optional<Asked> asked_;
  std::thread thread_;
};

TEST(Connection, Tunnel) {
  const Server server;
  Client client({server.name()});
  say(client.fd(), "CONNECT " + server.name() + " HTTP/1.1\r\n\r\nearly");
  const auto end = server.take();
  EXPECT_TRUE(read_some(client.fd()).starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(read_some(end.get()), "early");
  say(end.get(), "answer");
  EXPECT_EQ(read_some(client.fd()), "answer");
  say(client.fd(), "more");
  EXPECT_EQ(read_some(end.get()), "more");
  ::shutdown(client.fd(), SHUT_WR);
  EXPECT_EQ(read_some(end.get()), "");
  say(end.get(), "last");
  EXPECT_EQ(read_some(client.fd()), "last");
  ::shutdown(end.get(), SHUT_RDWR);
  EXPECT_TRUE(client.asked().allowed);
}

TEST(Connection, WhatFollowsARequestIsNotSentOn) {
  const Server server;
  Client client({server.name()});
  say(client.fd(),
      "POST http://" + server.name() +
          "/ HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET http://evil/ HTTP/1.1\r\n\r\n");
  const auto end = server.take();
  EXPECT_EQ(read_some(end.get()), "POST / HTTP/1.1\r\nHost: " + server.name() +
                                      "\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
  say(client.fd(), "GET http://evil/ HTTP/1.1\r\n\r\n");
  say(end.get(), "HTTP/1.1 200 OK\r\n\r\n");
  ::shutdown(end.get(), SHUT_WR);
  EXPECT_EQ(read_some(client.fd()), "HTTP/1.1 200 OK\r\n\r\n");
  EXPECT_EQ(std::string(client.asked().method), "POST");
  EXPECT_EQ(read_some(end.get()), "");
}

TEST(Connection, HostsThatAreNotAllowed) {
  Client client({"example.org"});
  say(client.fd(), "CONNECT 127.0.0.1:443 HTTP/1.1\r\n\r\n");
  const auto answer = read_some(client.fd());
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 ")) << answer;
  EXPECT_NE(answer.find("127.0.0.1:443 is not an allowed host"), std::string::npos) << answer;
  const auto asked = client.asked();
  EXPECT_FALSE(asked.allowed);
  EXPECT_EQ(std::string(asked.host), "127.0.0.1");
  EXPECT_EQ(asked.port, 443);
}

TEST(Connection, ANameMayNotLeadToThisMachine) {
  Client client({"*"});
  say(client.fd(), "CONNECT localhost:443 HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(read_some(client.fd()).starts_with("HTTP/1.1 403 "));
  EXPECT_FALSE(client.asked().allowed);
}

TEST(Connection, Nonsense) {
  Client client({"*"});
  say(client.fd(), "hello\r\n\r\n");
  EXPECT_TRUE(read_some(client.fd()).starts_with("HTTP/1.1 400 "));
  Client endless({"*"});
  say(endless.fd(), "GET http://a/ HTTP/1.1\r\nA: " + std::string(20000, 'x'));
  EXPECT_TRUE(read_some(endless.fd()).starts_with("HTTP/1.1 400 "));
}

}  // namespace
}  // namespace langsbx::egress
