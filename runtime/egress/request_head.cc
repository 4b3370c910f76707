// Request line and header fields.
#include "runtime/egress/request_head.h"

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/base/text.h"
#include "runtime/egress/allow_list.h"

namespace langsbx::egress {
namespace {

Error bad(const char* what) { return make_error(ErrorKind::kInvalidInput, what); }

// A field's name or a method.
bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
  });
}

// Up to the next CRLF, which is taken too.
std::optional<std::string_view> take_line(std::string_view& text) {
  const auto end = text.find("\r\n");
  if (end == std::string_view::npos) return {};
  const auto line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return line;
}

Result<void> set_authority(std::string_view authority, std::optional<std::uint16_t> port,
                           RequestHead& head) {
  const auto bracket = authority.rfind(']');
  const auto colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    port = to_number<std::uint16_t>(authority.substr(colon + 1));
    authority = authority.substr(0, colon);
  }
  head.host = normal_host(authority);
  if (head.host.empty()) return bad("the host is neither a name nor an address");
  if (!port || *port == 0) return bad("the port is none");
  head.port = *port;
  return {};
}

// "GET http://host:port/path HTTP/1.1": gives what the server is asked, "GET /path HTTP/1.1".
Result<std::string> read_request_line(std::string_view line, RequestHead& head) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return bad("no request line");
  head.method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(head.method) || target.find(' ') != std::string_view::npos) {
    return bad("no request line");
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return bad("the version is not HTTP/1.1");
  if (head.method == "CONNECT") {
    head.tunnel = true;
    TRY(set_authority(target, {}, head));
    return std::string();
  }
  constexpr std::string_view kScheme = "http://";
  if (lower(target.substr(0, kScheme.size())) != kScheme) {
    return bad("a proxy is asked with CONNECT, or for a whole http:// address");
  }
  target.remove_prefix(kScheme.size());
  const auto slash = std::min(target.find_first_of("/?#"), target.size());
  constexpr std::uint16_t kHttp = 80;
  TRY(set_authority(target.substr(0, slash), kHttp, head));
  std::string path(target.substr(slash));
  if (path.empty() || path.front() != '/') path.insert(0, "/");
  return head.method + " " + path.substr(0, path.find('#')) + " HTTP/1.1\r\n";
}

// Those between two neighbours only, and the one that we write ourselves.
bool is_dropped(std::string_view name) {
  constexpr auto kDropped = std::array{"host",  "connection", "keep-alive", "proxy-connection",
                                       "te",    "upgrade",    "trailer",    "proxy-authorization",
                                       "expect"};
  return std::find(kDropped.begin(), kDropped.end(), name) != kDropped.end();
}

Result<void> read_fields(std::string_view text, RequestHead& head) {
  bool sized = false;
  while (const auto line = take_line(text)) {
    if (line->empty()) return {};
    const auto colon = line->find(':');
    if (colon == std::string_view::npos || !is_token(line->substr(0, colon)) ||
        !is_printable(*line)) {
      return bad("a header field is malformed");
    }
    const auto name = lower(line->substr(0, colon));
    const auto value = trim(line->substr(colon + 1), kBlanks);
    if (is_dropped(name)) continue;
    if (name == "transfer-encoding") return bad("a body needs a Content-Length");
    if (name == "content-length") {
      const auto size = to_number<std::uint64_t>(value);
      if (sized || !size) return bad("Content-Length is no number, or there are two");
      sized = true;
      head.body = *size;
    }
    head.forward += std::string(line->substr(0, colon)) + ": " + std::string(value) + "\r\n";
  }
  return bad("the header has no end");
}

}  // namespace

Result<RequestHead> parse_head(std::string_view text) {
  RequestHead head;
  const auto line = take_line(text);
  if (!line || !is_printable(*line)) return bad("no request line");
  const auto request = TRY(read_request_line(*line, head));
  TRY(read_fields(text, head));
  if (head.tunnel) {
    head.forward.clear();
    head.body = 0;
    return head;
  }
  const bool v6 = head.host.find(':') != std::string::npos;
  std::string host = v6 ? "[" + head.host + "]" : head.host;
  constexpr std::uint16_t kHttp = 80;
  if (head.port != kHttp) host += ":" + std::to_string(head.port);
  head.forward = request + "Host: " + host + "\r\n" + head.forward + "Connection: close\r\n\r\n";
  return head;
}

}  // namespace langsbx::egress
