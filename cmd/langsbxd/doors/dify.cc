// dify-sandbox: POST /v1/sandbox/run, GET /health. Its clients read "code" of the body, not the
// status.
#include "cmd/langsbxd/doors/doors.h"
#include "cmd/langsbxd/run_answer.h"

namespace langsbx::serve::doors {
namespace {

Reply no(unsigned status, std::string_view, const std::string& message) {
  const bool busy = status == 429 || status == 503;
  const int code = busy ? -503 : status >= 500 ? -500 : -400;
  return json_reply(
      busy ? 503 : 200,
      {{"code", code}, {"message", busy ? "Too many requests" : message}, {"data", nullptr}});
}

Reply answer(const RunResult& result) {
  const auto& record = result.record;
  const auto status = status_of(record);
  if (status == "rejected") return no(400, "", reason_of(record));
  const auto err = stream_of(record, "stderr");
  const bool cut = record.value("killed", false);
  return json_reply(200, {{"code", 0},
                          {"message", "success"},
                          {"data",
                           {{"stdout", stream_of(record, "stdout")},
                            {"stderr", err},
                            {"error", cut ? reason_of(record) : err},
                            {"exit_code", record.value("exit_code", 0)}}}});
}

}  // namespace

void dify_run(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto body = Json::parse(call.body, nullptr, false);
  const auto text = [&](const char* member) {
    return body.is_object() && body.contains(member) && body[member].is_string()
               ? body[member].get<std::string>()
               : std::string();
  };
  const auto language = text("language");
  if (language != "python3" && language != "nodejs") {
    return exchange->reply(no(400, "", "unsupported language"));
  }
  // What is preloaded runs first, in the same program.
  const auto preload = text("preload");
  Json document = {{"language", language == "nodejs" ? "javascript" : "python"},
                   {"source", preload.empty() ? text("code") : preload + "\n" + text("code")}};
  if (body.value("enable_network", Json(false)) == true) document["network"] = "host";
  const Wording wording{answer, no};
  auto request = make_run_request(document, call.key.allowed);
  if (!request.ok() && document.contains("network")) {
    // Its clients ask for the network by habit: who may not have it runs without.
    document.erase("network");
    request = make_run_request(document, call.key.allowed);
  }
  if (!request.ok()) return exchange->reply(no(400, "", request.error().to_string()));
  run_and_reply(service, call, exchange, request.release_value(), wording);
}

void dify_health(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  exchange->reply(json_reply(200, "ok"));
}

}  // namespace langsbx::serve::doors
