#include "cmd/langsbxd/request_check.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// "name:8700", "[::1]:8700" -> "name", "::1"
std::string host_of(std::string_view authority) {
  if (authority.starts_with('[')) return lower(authority.substr(1, authority.find(']') - 1));
  return lower(authority.substr(0, authority.find(':')));
}

bool is_ours(const std::string& host, const Config& config) {
  if (host == "localhost" || host == "127.0.0.1" || host == "::1") return true;
  return std::find(config.hosts.begin(), config.hosts.end(), host) != config.hosts.end();
}

// Only what a log and a header may hold.
std::string plain_id(std::string_view text) {
  std::string id;
  for (const char c : text.substr(0, 128)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.') {
      id += c;
    }
  }
  return id;
}

// The trace's id of "00-<32 digits>-<16 digits>-<2 digits>" (W3C Trace Context). What is no such
// header says nothing.
std::string trace_id(std::string_view header) {
  constexpr std::size_t kId = 3, kIdSize = 32, kSize = 55;
  if (header.size() < kSize || header.starts_with("ff")) return {};
  for (std::size_t i = 0; i < kSize; ++i) {
    const bool dash = i == 2 || i == 35 || i == 52;
    const bool digit =
        std::string_view("0123456789abcdef").find(header[i]) != std::string_view::npos;
    if (dash ? header[i] != '-' : !digit) return {};
  }
  const auto id = header.substr(kId, kIdSize);
  return id.find_first_not_of('0') == std::string_view::npos ? std::string() : std::string(id);
}

void read_target(std::string_view target, Call& call) {
  const auto question = target.find('?');
  call.path = percent_decoded(target.substr(0, question), false);
  if (question == std::string_view::npos) return;
  target.remove_prefix(question + 1);
  while (!target.empty()) {
    const auto end = std::min(target.find('&'), target.size());
    const auto pair = target.substr(0, end);
    const auto equals = std::min(pair.find('='), pair.size());
    if (!pair.empty()) {
      call.query.emplace_back(
          percent_decoded(pair.substr(0, equals), true),
          equals < pair.size() ? percent_decoded(pair.substr(equals + 1), true) : std::string());
    }
    target.remove_prefix(std::min(end + 1, target.size()));
  }
}

// Nobody waits for the log's reader: a line that does not fit into the pipe is lost.
void write_line(std::string text) {
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&room, 1, 0) != 1 || (room.revents & POLLOUT) == 0) return;
  text += '\n';
  const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(written);
}

}  // namespace

std::string percent_decoded(std::string_view text, bool plus_is_space) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex(text[i + 1]) : -1;
    const int low = high >= 0 ? hex(text[i + 2]) : -1;
    if (low >= 0) {
      result += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      result += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return result;
}

Call call_of(const boost::beast::http::request<boost::beast::http::string_body>& head) {
  Call call;
  const auto view = [](boost::beast::string_view text) {
    return std::string_view(text.data(), text.size());
  };
  call.method = view(head.method_string());
  read_target(view(head.target()), call);
  for (const auto& field : head) {
    call.headers.push_back({lower(view(field.name_string())), std::string(view(field.value()))});
  }
  call.id = plain_id(call.header("x-request-id"));
  if (call.id.empty()) call.id = random_id().value_or("");
  call.trace = trace_id(call.header("traceparent"));
  return call;
}

std::optional<std::string> check_origin(const Call& call, const Config& config, bool loopback) {
  const auto host = host_of(call.header("host"));
  if (loopback && !host.empty() && !is_ours(host, config)) {
    return "Host: \"" + host + "\" is not a name of this service (hosts in its configuration)";
  }
  const auto origin = call.header("origin");
  if (origin.empty()) return {};
  const auto scheme = origin.find("://");
  const auto from =
      scheme == std::string_view::npos ? std::string() : host_of(origin.substr(scheme + 3));
  const bool same = scheme != std::string_view::npos &&
                    lower(origin.substr(scheme + 3)) == lower(call.header("host"));
  if (same || (!from.empty() &&
               std::find(config.hosts.begin(), config.hosts.end(), from) != config.hosts.end())) {
    return {};
  }
  return "Origin: pages of another site may not call this service";
}

void log_access(const Call& call, std::string_view route, unsigned status, double seconds) {
  Json line = {{"request", call.id},
               {"key", call.key.id},
               {"method", call.method},
               {"route", route},
               {"status", status},
               {"ms", static_cast<double>(static_cast<long>(seconds * 100'000)) / 100}};
  if (!call.trace.empty()) line["trace"] = call.trace;
  write_line(line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void log_fault(const std::string& message) {
  write_line(Json({{"fault", message}}).dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace langsbx::serve
