#include "cmd/langsbxd/callback.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/egress/resolver.h"

namespace langsbx::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;
using Failure = boost::system::error_code;

constexpr int kTries = 3;
constexpr auto kPatience = std::chrono::seconds(5);  // for one try
constexpr auto kPause = std::chrono::seconds(1);
constexpr std::size_t kLargestAnswer = 64U << 10U;

std::vector<Tcp::endpoint> endpoints_of(const CallbackAddress& address) {
  std::vector<Tcp::endpoint> endpoints;
  for (const auto& one : address.addresses) {
    endpoints.emplace_back(asio::ip::make_address(egress::to_string(one)), address.port);
  }
  return endpoints;
}

class Caller : public std::enable_shared_from_this<Caller> {
 public:
  Caller(asio::io_context& loop, const CallbackAddress& address, std::string body)
      : endpoints_(endpoints_of(address)), stream_(loop), pause_(loop) {
    request_.version(11);
    request_.method(http::verb::put);
    request_.target(address.target);
    request_.set(http::field::host, address.host + ":" + std::to_string(address.port));
    request_.set(http::field::content_type, "application/json");
    request_.set(http::field::connection, "close");
    request_.body() = std::move(body);
    request_.prepare_payload();
  }

  void start() {
    stream_.expires_after(kPatience);
    stream_.async_connect(endpoints_, [self = shared_from_this()](Failure failure, const auto&) {
      if (failure) return self->again();
      self->write();
    });
  }

 private:
  void write() {
    http::async_write(stream_, request_, [self = shared_from_this()](Failure failure, std::size_t) {
      if (failure) return self->again();
      self->read();
    });
  }
  void read() {
    buffer_.clear();
    answer_.emplace();
    answer_->body_limit(kLargestAnswer);
    http::async_read_header(stream_, buffer_, *answer_,
                            [self = shared_from_this()](Failure failure, std::size_t) {
                              const bool good = !failure && self->answer_->get().result_int() < 300;
                              if (!good) return self->again();
                              self->stream_.close();
                            });
  }
  void again() {
    stream_.close();
    if (++tries_ == kTries) return;
    pause_.expires_after(kPause);
    pause_.async_wait([self = shared_from_this()](Failure failure) {
      if (!failure) self->start();
    });
  }

  std::vector<Tcp::endpoint> endpoints_;
  beast::tcp_stream stream_;
  asio::steady_timer pause_;
  http::request<http::string_body> request_;
  beast::flat_buffer buffer_;
  std::optional<http::response_parser<http::string_body>> answer_;
  int tries_ = 0;
};

struct Place {
  std::string host, port;
};
// Of "host", "host:port", "[::1]:80".
Place place_of(std::string_view text) {
  const auto colon = text.ends_with(']') ? std::string_view::npos : text.rfind(':');
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {std::string(host),
          colon == std::string_view::npos ? std::string() : std::string(text.substr(colon + 1))};
}

Error wrong(const std::string& what) { return make_error(ErrorKind::kInvalidInput, what); }

}  // namespace

Result<std::vector<CallbackHost>> find_callback_hosts(const std::vector<std::string>& names) {
  std::vector<CallbackHost> hosts;
  for (const auto& written : names) {
    CallbackHost host;
    const Place place = place_of(written);
    host.name = place.host;
    host.port = place.port;
    host.addresses = TRY_CONTEXT(egress::resolve(host.name), "callback_hosts");
    hosts.push_back(std::move(host));
  }
  return hosts;
}

Result<CallbackAddress> parse_callback(const std::string& url,
                                       const std::vector<CallbackHost>& hosts) {
  constexpr std::string_view kScheme = "http://";
  if (hosts.empty()) return wrong("setting callback is not allowed");
  if (!url.starts_with(kScheme)) return wrong("is not an http:// address");
  for (const char byte : url) {
    if (byte <= ' ' || byte == 0x7F) return wrong("holds a blank or a control character");
  }
  const std::string_view rest = std::string_view(url).substr(kScheme.size());
  const auto slash = rest.find('/');
  const Place place = place_of(rest.substr(0, slash));
  const auto port = to_number<std::uint16_t>(place.port.empty() ? "80" : place.port);
  // "user@host" is another host than it seems.
  if (place.host.empty() || place.host.find('@') != std::string::npos || !port) {
    return wrong("names no host");
  }
  for (const auto& host : hosts) {
    const bool same_port = host.port.empty() || host.port == std::to_string(*port);
    if (host.name != place.host || !same_port) continue;
    return CallbackAddress{place.host,
                           slash == std::string_view::npos ? "/" : std::string(rest.substr(slash)),
                           *port, host.addresses};
  }
  return wrong("\"" + place.host + "\" is not one of this service's callback_hosts");
}

void call_back(boost::asio::io_context& loop, const CallbackAddress& address, std::string body) {
  std::make_shared<Caller>(loop, address, std::move(body))->start();
}

}  // namespace langsbx::serve
