// Reads the request; its writer is runtime/cgroup/systemd/manager.cc.
#include "cmd/langsbx-systemd/request.h"

namespace langsbx::systemd_helper {
namespace {

Error bad(const std::string& what) {
  return make_error(ErrorKind::kInvalidInput, "request: " + what);
}

Result<Operation> parse_operation(const std::string& name) {
  if (name == "start") return Operation::kStart;
  if (name == "stop") return Operation::kStop;
  if (name == "set") return Operation::kSet;
  return bad("unknown op \"" + name + "\"");
}

Result<Property> parse_property(const nlohmann::json& value) {
  if (!value.is_object() || !value.contains("name") || !value["name"].is_string() ||
      !value.contains("type") || !value["type"].is_string() || !value.contains("value")) {
    return bad("a property needs name, type and value");
  }
  return Property{.name = value["name"].get<std::string>(),
                  .signature = value["type"].get<std::string>(),
                  .value = value["value"]};
}

}  // namespace

Result<Request> parse_request(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return bad("not a JSON object");
  const auto text_of = [&](const char* key) -> std::string {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  Request request;
  request.operation = TRY(parse_operation(text_of("op")));
  request.unit = text_of("unit");
  if (request.unit.empty()) return bad("no unit");
  if (const auto user = json.find("user"); user != json.end() && user->is_boolean()) {
    request.user_bus = user->get<bool>();
  }
  if (const auto pid = json.find("pid"); pid != json.end()) {
    if (!pid->is_number_unsigned()) return bad("pid is not a number");
    request.pid = pid->get<pid_t>();
  }
  if (const auto timeout = json.find("timeout"); timeout != json.end()) {
    if (!timeout->is_number_unsigned()) return bad("timeout is not a number");
    request.timeout = std::chrono::seconds(timeout->get<unsigned>());
  }
  const auto properties = json.find("properties");
  if (properties == json.end()) return request;
  if (!properties->is_array()) return bad("properties is not a list");
  for (const auto& entry : *properties) {
    request.properties.push_back(TRY(parse_property(entry)));
  }
  return request;
}

}  // namespace langsbx::systemd_helper
