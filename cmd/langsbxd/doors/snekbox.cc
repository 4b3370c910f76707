// snekbox: POST /eval {"input"} or {"args", "files"}.
#include "cmd/langsbxd/doors/doors.h"
#include "cmd/langsbxd/run_answer.h"
#include "runtime/base/base64.h"

namespace langsbx::serve::doors {
namespace {

Reply no(unsigned status, std::string_view, const std::string& message) {
  return json_reply(status, {{"title", message}});
}

// Both streams are one there; so is what langsbx has to say.
Reply answer(const RunResult& result) {
  const auto& record = result.record;
  const auto status = status_of(record);
  std::string out = stream_of(record, "stdout") + stream_of(record, "stderr");
  Json code = record.value("exit_code", 0);
  if (status == "rejected") {
    out += findings_of(record);
    code = 1;
  } else if (record.value("killed", false)) {
    out += "langsbx: " + reason_of(record) + "\n";
    code = 137;
  }
  Json files = Json::array();
  for (const auto& file : result.files) {
    files.push_back(
        {{"path", file.name}, {"size", file.content.size()}, {"content", to_base64(file.content)}});
  }
  return json_reply(200, {{"stdout", out}, {"returncode", code}, {"files", files}});
}

Result<void> take_files(const Json& body, Json& document) {
  const auto wrong = [](const std::string& message) {
    return make_error(ErrorKind::kInvalidInput, message);
  };
  const auto args = body.value("args", Json::array());
  const auto files = body.value("files", Json::array());
  if (!args.is_array() || args.empty() || !args[0].is_string() || !files.is_array()) {
    return wrong("'input' or 'args' is a required property");
  }
  document["files"] = Json::array();
  for (const auto& file : files) {
    const auto path = file.is_object() ? file.value("path", Json()) : Json();
    if (!path.is_string()) return wrong("'path' is a required property");
    const auto text = file.value("content", Json(""));
    const auto bytes = text.is_string() ? from_base64(text.get<std::string>()) : std::nullopt;
    if (!bytes) return wrong("'content' is not base64");
    if (path == args[0]) {
      document["source_base64"] = text;
      document["file"] = path;
    } else {
      document["files"].push_back({{"name", path}, {"content_base64", text}});
    }
  }
  if (!document.contains("source_base64")) {
    return wrong("args[0] is not the path of one of the files");
  }
  document["args"] = Json(args.begin() + 1, args.end());
  return {};
}

}  // namespace

void snekbox_eval(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  if (!call.header("content-type").starts_with("application/json")) {
    return exchange->reply(no(415, "", "415 Unsupported Media Type"));
  }
  const auto body = Json::parse(call.body, nullptr, false);
  if (!body.is_object()) return exchange->reply(no(400, "", "Request data failed validation"));
  Json document = {{"language", "python"}, {"artifacts", {"*"}}, {"file", "main.py"}};
  if (body.contains("input") && body["input"].is_string()) {
    document["source"] = body["input"];
  } else if (const auto taken = take_files(body, document); !taken.ok()) {
    auto reply = json_reply(
        400, {{"title", "Request data failed validation"}, {"description", taken.error().message}});
    return exchange->reply(std::move(reply));
  }
  const Wording wording{answer, no};
  auto request = make_run_request(std::move(document), call.key.allowed);
  if (!request.ok()) return exchange->reply(wrong_reply(wording, request.error()));
  run_and_reply(service, call, exchange, request.release_value(), wording);
}

}  // namespace langsbx::serve::doors
