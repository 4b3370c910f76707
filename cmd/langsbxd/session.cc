#include "cmd/langsbxd/session.h"

#include <sys/socket.h>

#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <deque>
#include <optional>

#include "cmd/langsbxd/request_check.h"
#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Stream = beast::basic_stream<asio::generic::stream_protocol>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostHead = 16U << 10U;
// For an answer, and for each piece of a stream: a slow reader is served, one that takes nothing
// does not keep its connection.
constexpr auto kWriteTime = std::chrono::seconds(30);
constexpr std::size_t kPiece = 64U << 10U;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Service& service, asio::generic::stream_protocol::socket socket, Peer peer)
      : service_(service), stream_(std::move(socket)), peer_(peer) {
    ++service_.connections;
  }
  ~Session() { --service_.connections; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void read_head();
  void answer(Reply reply);
  void begin_stream(Reply head);
  void send(std::string_view part);
  void end_stream();
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  void when_taken(std::size_t few, std::function<void()> then);
  void when_gone(std::function<void()> then) { gone_ = std::move(then); }
  void dropped() {
    if (!answered_ && !ends_) close();
  }

 private:
  void read_body();
  void take_body();
  void take_call();
  void refuse(unsigned status, std::string_view code, const std::string& message);
  void watch_for_end();
  void lost();
  void write_more();
  void finished();
  void close();

  Service& service_;
  Stream stream_;
  Peer peer_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> reply_;
  Call call_;
  const Route* route_ = nullptr;
  Clock::time_point begin_;
  unsigned status_ = 0;
  std::deque<std::string> out_;
  std::size_t waiting_ = 0, few_ = 0, sent_ = 0;  // sent_: of the first of out_
  std::function<void()> taken_, gone_;
  bool keep_ = false, chunks_ = false, writing_ = false, ends_ = false, answered_ = false,
       closed_ = false;
};

// What a handler holds; letting go of it without an answer closes the connection.
class HttpExchange : public Exchange {
 public:
  explicit HttpExchange(std::shared_ptr<Session> session) : session_(std::move(session)) {}
  ~HttpExchange() override { session_->dropped(); }
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  void reply(Reply reply) override { session_->answer(std::move(reply)); }
  void begin_stream(Reply head) override { session_->begin_stream(std::move(head)); }
  void send(std::string_view part) override { session_->send(part); }
  void end_stream() override { session_->end_stream(); }
  [[nodiscard]] std::size_t waiting() const override { return session_->waiting(); }
  void when_taken(std::size_t few, std::function<void()> then) override {
    session_->when_taken(few, std::move(then));
  }
  void when_gone(std::function<void()> then) override { session_->when_gone(std::move(then)); }

 private:
  std::shared_ptr<Session> session_;
};

void Session::read_head() {
  parser_.emplace();
  parser_->header_limit(kMostHead);
  parser_->body_limit(service_.config.largest_body);
  call_ = {};
  route_ = nullptr;
  answered_ = false;
  ends_ = false;
  stream_.expires_after(service_.config.read_time);
  http::async_read_header(
      stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
        if (!error) return self->read_body();
        if (error == http::error::end_of_stream || error == asio::error::eof ||
            error == beast::error::timeout ||
            error.category() == asio::error::get_system_category()) {
          return self->close();
        }
        self->begin_ = Clock::now();
        const bool large =
            error == http::error::header_limit || error == http::error::buffer_overflow;
        self->refuse(large ? 431 : 400, "bad_request", error.message());
      });
}

// Who may not call is told before the body is read.
void Session::read_body() {
  begin_ = Clock::now();
  auto& head = parser_->get();
  keep_ = head.keep_alive() && !service_.stopping;
  call_ = call_of(head);
  if (auto wrong = check_origin(call_, service_.config, peer_.loopback)) {
    return refuse(403, "forbidden", *wrong);
  }
  bool other_method = false;
  route_ = Service::find_route(call_, other_method);
  if (route_ == nullptr) {
    return other_method ? refuse(405, "method_not_allowed", call_.method + " is not for this path")
                        : refuse(404, "not_found", "there is nothing at this path");
  }
  auto admitted = service_.admit(call_, route_->open, peer_.local);
  if (auto* no = std::get_if<Reply>(&admitted)) {
    keep_ = false;
    return answer(std::move(*no));
  }
  call_.key = std::move(std::get<Key>(admitted));
  if (head[http::field::expect] != "100-continue") return take_body();
  stream_.expires_after(kWriteTime);
  asio::async_write(stream_, asio::buffer(kContinue),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      if (error) return self->close();
                      self->take_body();
                    });
}

void Session::take_body() {
  stream_.expires_after(service_.config.read_time);
  http::async_read(
      stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
        if (!error) return self->take_call();
        if (error == http::error::body_limit) {
          return self->refuse(
              413, "too_large",
              "the body is above " + std::to_string(self->service_.config.largest_body) + " bytes");
        }
        if (error == beast::error::timeout) return self->close();
        self->refuse(400, "bad_request", error.message());
      });
}

void Session::take_call() {
  call_.body = std::move(parser_->get().body());
  stream_.expires_never();
  gone_ = nullptr;
  taken_ = nullptr;
  watch_for_end();
  const auto exchange = std::make_shared<HttpExchange>(shared_from_this());
  // No request takes the service along, whatever a handler did not think of.
  try {
    route_->handler(service_, call_, exchange);
  } catch (const std::exception& error) {
    exchange->reply(error_reply(500, "internal", error.what()));
  }
}

void Session::refuse(unsigned status, std::string_view code, const std::string& message) {
  keep_ = false;
  answer(error_reply(status, code, message));
}

// Whoever hangs up while a run goes on does not want its answer.
void Session::watch_for_end() {
  stream_.socket().async_wait(
      asio::socket_base::wait_read, [self = shared_from_this()](error_code error) {
        if (error || self->answered_ || self->closed_) return;
        char byte = 0;
        const auto count =
            ::recv(self->stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return self->lost();
        // The next request came early; it waits.
      });
}

void Session::lost() {
  if (closed_) return;
  auto gone = std::move(gone_);
  gone_ = nullptr;
  taken_ = nullptr;
  status_ = 499;
  close();
  if (gone) gone();
}

void Session::answer(Reply reply) {
  if (answered_ || closed_) return;
  answered_ = true;
  status_ = reply.status;
  reply_.emplace(static_cast<http::status>(reply.status), 11);
  reply_->set(http::field::content_type, reply.type);
  if (!call_.id.empty()) reply_->set("X-Request-Id", call_.id);
  if (!call_.trace.empty()) reply_->set("traceparent", std::string(call_.header("traceparent")));
  reply_->set("X-Content-Type-Options", "nosniff");
  for (const auto& header : reply.headers) reply_->set(header.name, header.value);
  reply_->keep_alive(keep_);
  const bool head_only = call_.method == "HEAD";
  reply_->body() = head_only ? std::string() : std::move(reply.body);
  reply_->prepare_payload();
  stream_.expires_after(kWriteTime);
  http::async_write(stream_, *reply_, [self = shared_from_this()](error_code error, std::size_t) {
    self->reply_.reset();
    if (error) self->keep_ = false;
    self->finished();
  });
}

void Session::begin_stream(Reply head) {
  if (answered_ || closed_) return;
  chunks_ = parser_->get().version() >= 11;
  if (!chunks_) keep_ = false;
  status_ = head.status;
  std::string text = "HTTP/1.1 " + std::to_string(head.status) +
                     " OK\r\nContent-Type: " + head.type +
                     "\r\nCache-Control: no-store\r\nX-Accel-Buffering: no\r\n" +
                     "X-Content-Type-Options: nosniff\r\nX-Request-Id: " + call_.id + "\r\n";
  for (const auto& header : head.headers) text += header.name + ": " + header.value + "\r\n";
  if (chunks_) text += "Transfer-Encoding: chunked\r\n";
  text += keep_ ? "\r\n" : "Connection: close\r\n\r\n";
  ends_ = false;
  waiting_ = text.size();
  out_.push_back(std::move(text));
  write_more();
}

void Session::send(std::string_view part) {
  if (closed_ || answered_ || part.empty()) return;
  std::string text;
  if (chunks_) {
    std::array<char, 24> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", part.size());
    text.append(size.data()).append(part).append("\r\n");
  } else {
    text = part;
  }
  waiting_ += text.size();
  out_.push_back(std::move(text));
  write_more();
}

void Session::end_stream() {
  if (closed_ || answered_ || ends_) return;
  ends_ = true;
  if (chunks_) {
    out_.emplace_back("0\r\n\r\n");
    waiting_ += out_.back().size();
  }
  write_more();
}

void Session::when_taken(std::size_t few, std::function<void()> then) {
  few_ = few;
  taken_ = std::move(then);
}

void Session::write_more() {
  if (writing_ || closed_) return;
  if (out_.empty()) {
    if (!ends_) return;
    answered_ = true;
    return finished();
  }
  writing_ = true;
  stream_.expires_after(kWriteTime);
  const auto piece = std::string_view(out_.front()).substr(sent_, kPiece);
  asio::async_write(stream_, asio::buffer(piece),
                    [self = shared_from_this()](error_code error, std::size_t count) {
                      self->writing_ = false;
                      if (error || self->closed_) return self->lost();
                      self->waiting_ -= count;
                      self->sent_ += count;
                      if (self->sent_ == self->out_.front().size()) {
                        self->out_.pop_front();
                        self->sent_ = 0;
                      }
                      if (self->taken_ && self->waiting_ < self->few_) {
                        auto taken = std::move(self->taken_);
                        self->taken_ = nullptr;
                        taken();
                      }
                      self->write_more();
                    });
}

void Session::finished() {
  answered_ = true;
  gone_ = nullptr;
  const double took = std::chrono::duration<double>(Clock::now() - begin_).count();
  service_.metrics.answered(route_ != nullptr ? route_->path : "other", call_.method, status_,
                            took);
  const auto route = route_ != nullptr ? route_->path : "other";
  log_access(call_, route, status_, took);
  const auto audited = service_.audit.write(call_, route, status_, peer_.address);
  if (!audited.ok()) log_fault(audited.error().to_string());
  if (!keep_ || service_.stopping) return close();
  error_code ignored;
  stream_.socket().cancel(ignored);
  read_head();
}

void Session::close() {
  if (closed_) return;
  closed_ = true;
  waiting_ = 0;  // nobody will take it
  error_code ignored;
  stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
  stream_.close();
}

}  // namespace

void serve_connection(Service& service, asio::generic::stream_protocol::socket socket, Peer peer) {
  std::make_shared<Session>(service, std::move(socket), peer)->read_head();
}

}  // namespace langsbx::serve
