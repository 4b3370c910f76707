// code-sandbox: POST /execute {"code", "timeout"}, GET /profile.
#include <algorithm>

#include "cmd/langsbxd/doors/doors.h"
#include "cmd/langsbxd/run_answer.h"
#include "languages/profile.h"
#include "languages/registry.h"
#include "runtime/guard/profile_directories.h"

namespace langsbx::serve::doors {
namespace {

constexpr double kLongest = 30;
constexpr double kUsual = 10;

Reply no(unsigned status, std::string_view, const std::string& message) {
  return json_reply(status, {{"error", message}});
}

// "Line 3: ..." as its clients show it.
Json violations_of(const Json& record) {
  Json list = Json::array();
  for (const auto& violation : record.value("violations", Json::array())) {
    if (!violation.contains("rule")) continue;
    list.push_back("Line " + std::to_string(violation.value("line", 0)) + ": " +
                   violation.value("reason", ""));
  }
  return list;
}

Reply answer(const RunResult& result) {
  const auto& record = result.record;
  if (status_of(record) == "rejected") {
    return json_reply(400,
                      {{"error", "Code validation failed"}, {"violations", violations_of(record)}});
  }
  std::string err = stream_of(record, "stderr");
  if (record.value("killed", false)) err += "langsbx: " + reason_of(record) + "\n";
  return json_reply(200, {{"stdout", stream_of(record, "stdout")},
                          {"stderr", err},
                          {"exit_code", record.value("exit_code", 0)},
                          {"timed_out", status_of(record) == "timeout"}});
}

std::vector<std::string> imports_of(const languages::Profile& profile) {
  auto names = profile.modules.allowed.value_or(std::vector<std::string>());
  const auto& more = profile.modules.additional;
  names.insert(names.end(), more.begin(), more.end());
  std::sort(names.begin(), names.end());
  return names;
}

Reply wrong_type(const char* member, const char* message, const char* type) {
  return json_reply(
      422,
      {{"detail", Json::array({{{"loc", {"body", member}}, {"msg", message}, {"type", type}}})}});
}

}  // namespace

void code_sandbox_execute(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto body = Json::parse(call.body, nullptr, false);
  if (!body.is_object() || !body.contains("code") || !body["code"].is_string()) {
    return exchange->reply(wrong_type("code", "field required", "value_error.missing"));
  }
  double timeout = kUsual;
  if (body.contains("timeout")) {
    timeout = body["timeout"].is_number() ? body["timeout"].get<double>() : 0;
    if (!(timeout > 0) || timeout > kLongest) {
      return exchange->reply(wrong_type("timeout", "ensure this value is above 0 and at most 30",
                                        "value_error.number"));
    }
  }
  const auto code = body["code"].get<std::string>();
  if (code.find_first_not_of(" \t\r\n\f\v") == std::string::npos) {
    return exchange->reply(json_reply(400, {{"error", "No code provided"}}));
  }
  const Wording wording{answer, no};
  auto request = make_run_request(
      {{"language", "python"},
       {"source", code},
       {"limits", {{"wall_time_ms", static_cast<std::uint64_t>(timeout * 1000) + 1}}}},
      call.key.allowed);
  if (!request.ok()) return exchange->reply(wrong_reply(wording, request.error()));
  run_and_reply(service, call, exchange, request.release_value(), wording);
}

void code_sandbox_profile(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  const auto profile = languages::load_profile(*languages::find_language("python"), "default",
                                               guard::find_in({guard::kProfileDirectory}));
  if (!profile.ok()) return exchange->reply(no(500, "", profile.error().to_string()));
  exchange->reply(json_reply(
      200, {{"name", profile->name},
            {"description", profile->description},
            {"allowed_imports", imports_of(*profile)},
            {"blocklist_entries", profile->deny.size() + profile->modules.blocked.size()},
            {"scan_stages", {{"pre", {"guard"}}, {"post", Json::array()}}}}));
}

}  // namespace langsbx::serve::doors
