// SandboxFusion: POST /run_code, GET /v1/ping. Every answer has status 200; the body says more.
#include "cmd/langsbxd/doors/doors.h"
#include "cmd/langsbxd/run_answer.h"
#include "runtime/base/base64.h"

namespace langsbx::serve::doors {
namespace {

Reply no(unsigned status, std::string_view, const std::string& message) {
  Reply reply = json_reply(200, {{"status", "SandboxError"},
                                 {"message", message},
                                 {"compile_result", nullptr},
                                 {"run_result", nullptr},
                                 {"executor_pod_name", nullptr},
                                 {"files", Json::object()}});
  // Who calls too often learns it by the status all the same.
  if (status == 429) reply.status = 429;
  return reply;
}

Json stage(const char* status, double seconds, const Json& code, const std::string& out,
           const std::string& err) {
  return {{"status", status},
          {"execution_time", seconds},
          {"return_code", code},
          {"stdout", out},
          {"stderr", err}};
}

Reply answer(const RunResult& result) {
  const auto& record = result.record;
  const auto status = status_of(record);
  const auto phases = record.value("phases", Json::object());
  const double took = static_cast<double>(phases.value("run_ms", 0ULL)) / 1000;
  const double compiling = static_cast<double>(phases.value("compile_ms", 0ULL)) / 1000;
  const auto out = stream_of(record, "stdout");
  auto err = stream_of(record, "stderr");
  Json compile = nullptr, run = nullptr;
  if (status == "compile_error") {
    compile = stage("Finished", compiling, record.value("exit_code", 1), "", err);
  } else {
    if (compiling > 0) compile = stage("Finished", compiling, 0, "", "");
    const bool late = status == "timeout";
    const bool cut = late || record.value("killed", false);
    if (status == "rejected") err += findings_of(record);
    run = stage(late ? "TimeLimitExceeded" : "Finished", took,
                cut ? Json(nullptr) : record.value("exit_code", Json(0)), out, err);
  }
  Json files = Json::object();
  for (const auto& file : result.files) files[file.name] = to_base64(file.content);
  return json_reply(200, {{"status", status == "completed" ? "Success" : "Failed"},
                          {"message", status == "completed" ? "" : reason_of(record)},
                          {"compile_result", compile},
                          {"run_result", run},
                          {"executor_pod_name", nullptr},
                          {"files", files}});
}

Result<Json> document_of(const Json& body) {
  const auto wrong = [](const std::string& message) {
    return make_error(ErrorKind::kInvalidInput, message);
  };
  for (const char* member : {"code", "language"}) {
    if (!body.is_object() || !body.contains(member) || !body[member].is_string()) {
      return wrong(std::string(member) + ": missing, or not a string");
    }
  }
  Json document = {{"source", body["code"]}, {"language", body["language"]}};
  if (body["language"] == "nodejs") document["language"] = "javascript";
  if (body.contains("stdin") && body["stdin"].is_string()) document["stdin"] = body["stdin"];
  const auto seconds = body.value("run_timeout", Json(10));
  if (!seconds.is_number() || !(seconds.get<double>() > 0)) return wrong("run_timeout: not a time");
  document["limits"]["wall_time_ms"] =
      static_cast<std::uint64_t>(std::min(seconds.get<double>(), 86'400.0) * 1000) + 1;
  const auto memory = body.value("memory_limit_MB", Json(-1));
  if (memory.is_number() && memory.get<double>() > 0) {
    document["limits"]["memory_bytes"] =
        static_cast<std::uint64_t>(std::min(memory.get<double>(), 1e9)) << 20U;
  }
  document["files"] = Json::array();
  const auto files = body.value("files", Json::object());
  for (const auto& [name, content] : files.items()) {
    if (content.is_null()) continue;
    document["files"].push_back({{"name", name}, {"content_base64", content}});
  }
  if (body.contains("fetch_files")) document["artifacts"] = body["fetch_files"];
  return document;
}

}  // namespace

void sandbox_fusion_run(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  auto document = document_of(Json::parse(call.body, nullptr, false));
  if (!document.ok()) {
    return exchange->reply(json_reply(422, {{"detail", document.error().message}}));
  }
  const Wording wording{answer, no};
  auto request = make_run_request(document.release_value(), call.key.allowed);
  if (!request.ok()) return exchange->reply(no(200, "", request.error().to_string()));
  run_and_reply(service, call, exchange, request.release_value(), wording);
}

void sandbox_fusion_ping(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  exchange->reply(json_reply(200, "pong"));
}

}  // namespace langsbx::serve::doors
