// One HTTP request as handlers see it, and what they answer; nothing here knows about sockets.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/langsbxd/keys.h"

namespace langsbx::serve {

using Json = nlohmann::json;

struct Header {
  std::string name;  // lower case
  std::string value;
};

struct Call {
  std::string id;      // X-Request-Id of the caller, or one of ours
  std::string trace;   // the trace of the caller that this call is part of (traceparent)
  std::string method;  // "GET"
  std::string path;    // percent-decoded, without the query
  std::vector<std::pair<std::string, std::string>> query;
  std::vector<Header> headers;
  std::string body;
  Key key;                         // who calls, and what they may
  std::vector<std::string> parts;  // what the route's "{}" stand for

  [[nodiscard]] std::string_view header(std::string_view name) const;
  [[nodiscard]] std::string_view query_value(std::string_view name) const;
};

struct Reply {
  unsigned status = 200;
  std::string body;
  std::string type = "application/json";
  std::vector<Header> headers;
};

Reply json_reply(unsigned status, const Json& document);
// {"error": {"code", "message", ...}}: how the native interface says no.
Reply error_reply(unsigned status, std::string_view code, const std::string& message);

// The caller's end of one request. A handler keeps it until it has answered; then it lets go.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void reply(Reply reply) = 0;

  // An answer that comes in parts. send() keeps what the caller has not taken yet.
  virtual void begin_stream(Reply head) = 0;
  virtual void send(std::string_view part) = 0;
  virtual void end_stream() = 0;
  // Bytes that wait to be taken, and a call when fewer than `few` do.
  [[nodiscard]] virtual std::size_t waiting() const = 0;
  virtual void when_taken(std::size_t few, std::function<void()> then) = 0;

  // The caller hung up before the answer was complete.
  virtual void when_gone(std::function<void()> then) = 0;
};

class Service;
using Handler = void (*)(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);

}  // namespace langsbx::serve
