#include "cmd/langsbxd/call.h"

namespace langsbx::serve {

std::string_view Call::header(std::string_view name) const {
  for (const auto& header : headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

std::string_view Call::query_value(std::string_view name) const {
  for (const auto& [known, value] : query) {
    if (known == name) return value;
  }
  return {};
}

Reply json_reply(unsigned status, const Json& document) {
  Reply reply;
  reply.status = status;
  reply.body = document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return reply;
}

Reply error_reply(unsigned status, std::string_view code, const std::string& message) {
  return json_reply(status, {{"error", {{"code", code}, {"message", message}}}});
}

}  // namespace langsbx::serve
