#include "cmd/langsbxd/run_answer.h"

#include <csignal>
#include <cstring>

#include "languages/unicode.h"
#include "runtime/base/base64.h"

namespace langsbx::serve {

Reply full_reply(const Wording& wording, const QueueFull& full) {
  auto reply =
      wording.no(429, "queue_full",
                 "the queue is full: " + std::to_string(full.depth) + " runs wait; try again in " +
                     std::to_string(full.retry_after.count()) + " s");
  reply.headers.push_back({"retry-after", std::to_string(full.retry_after.count())});
  return reply;
}

Reply not_run_reply(const Wording& wording, NotRun why) {
  switch (why) {
    case NotRun::kDeadline:
      return wording.no(503, "deadline", "the run could not start before its deadline");
    case NotRun::kCancelled:
      return wording.no(409, "cancelled", "the run was cancelled before it started");
    case NotRun::kShutdown:
      break;
  }
  return wording.no(503, "shutdown", "the service is being stopped");
}

Reply wrong_reply(const Wording& wording, const Error& error) {
  const bool refused = error.kind == ErrorKind::kRefused;
  return wording.no(refused ? 403 : 400, refused ? "not_allowed" : "bad_request",
                    error.to_string());
}

void run_and_reply(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
                   RunRequest request, Wording wording) {
  JobEvents events;
  const auto words = std::make_shared<Wording>(std::move(wording));
  events.done = [exchange, words](const RunResult& result) {
    exchange->when_gone(nullptr);
    exchange->reply(result.record.is_object() ? words->result(result)
                                              : words->no(500, "internal", result.fault));
  };
  events.not_run = [exchange, words](NotRun why) {
    exchange->when_gone(nullptr);
    exchange->reply(not_run_reply(*words, why));
  };
  auto submitted = service.jobs.submit(call.key, std::move(request), std::move(events));
  if (const auto* full = std::get_if<QueueFull>(&submitted)) {
    return exchange->reply(full_reply(*words, *full));
  }
  exchange->when_gone(
      [&service, id = std::get<std::string>(submitted)] { service.jobs.cancel(id); });
}

std::string status_of(const Json& record) { return record.value("status", "failed"); }

std::string findings_of(const Json& record) {
  std::string text;
  for (const auto& violation : record.value("violations", Json::array())) {
    if (!violation.contains("rule")) continue;
    text += violation.value("file", "") + ":" + std::to_string(violation.value("line", 0)) + ":" +
            std::to_string(violation.value("column", 0)) + ": " + violation.value("reason", "") +
            " [" + violation.value("rule", "") + "]\n";
  }
  return text;
}

std::string reason_of(const Json& record) {
  const auto status = status_of(record);
  if (status == "completed") return "completed";
  if (status == "rejected") {
    auto findings = findings_of(record);
    return "the guard refuses the program: " + findings.substr(0, findings.find('\n'));
  }
  if (status == "compile_error") return "the compiler refuses the program";
  for (const auto& violation : record.value("violations", Json::array())) {
    if (!violation.contains("rule")) return violation.value("reason", status);
  }
  if (record.contains("kill_reason") && record["kill_reason"].is_string()) {
    return "killed: " + record["kill_reason"].get<std::string>();
  }
  if (record.contains("signal") && record["signal"].is_number()) {
    return "ended by " + signal_name(record["signal"].get<int>());
  }
  return "exit code " + std::to_string(record.value("exit_code", 0));
}

std::string stream_of(const Json& record, const char* name) {
  const auto exact = record.find(std::string(name) + "_base64");
  if (exact != record.end() && exact->is_string()) {
    return from_base64(exact->get_ref<const std::string&>()).value_or("");
  }
  return record.value(name, "");
}

bool is_text(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto length = languages::decode_utf8(bytes, i).length;
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string signal_name(int number) {
  if (number == 0) return {};
  const char* const name = ::sigabbrev_np(number);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

}  // namespace langsbx::serve
