#include "cmd/langsbxd/native.h"

#include <algorithm>
#include <array>

#include "cmd/langsbxd/later.h"
#include "cmd/langsbxd/run_answer.h"
#include "cmd/langsbxd/stream.h"
#include "langsbx_version.h"
#include "runtime/base/base64.h"

namespace langsbx::serve::native {
namespace {

Wording wording() {
  return {[](const RunResult& result) { return json_reply(200, answer_of(result)); }, error_reply};
}

bool wants_later(const Call& call) {
  return call.header("prefer").find("respond-async") != std::string_view::npos ||
         call.query_value("async") == "true";
}

// Runs on without its caller; the answer is kept.
void run_on(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
            RunRequest request) {
  LaterWording words;
  words.result = answer_of;
  words.fault = [](const std::string& fault) {
    return Json{{"error", {{"code", "internal"}, {"message", fault}}}};
  };
  words.not_run = [](NotRun why) {
    return Json::parse(not_run_reply(wording(), why).body, nullptr, false);
  };
  const auto submitted = run_later(service, call.key, std::move(request), std::move(words));
  if (const auto* full = std::get_if<QueueFull>(&submitted)) {
    return exchange->reply(full_reply(wording(), *full));
  }
  const auto& id = std::get<std::string>(submitted);
  if (const auto name = call.header("idempotency-key"); !name.empty()) {
    service.remembered.put(call.key.id, std::string(name),
                           {hash_of(call.method + call.path + "\n" + call.body), id});
  }
  auto reply = json_reply(202, {{"id", id}, {"state", "queued"}});
  reply.headers.push_back({"location", "/v1/runs/" + id});
  exchange->reply(std::move(reply));
}

// Of a run that may come in later. Empty: there is none of that id for this key.
std::optional<Json> look_up(Service& service, const std::string& id, const std::string& key) {
  auto found = find_later(service, id, key);
  if (!found) return {};
  constexpr std::array kStates = {"queued", "running", "finished"};
  Json known = {{"id", id}, {"state", kStates[static_cast<std::size_t>(found->state)]}};
  if (found->state == LaterState::kFinished) known["result"] = std::move(found->answer);
  return known;
}

// True: the same request came before, and has been answered.
bool answer_again(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto name = call.header("idempotency-key");
  if (name.empty()) return false;
  const RememberedRun* found = service.remembered.find(call.key.id, name);
  if (found == nullptr) return false;
  if (found->digest != hash_of(call.method + call.path + "\n" + call.body)) {
    exchange->reply(error_reply(422, "idempotency_key_reused",
                                "Idempotency-Key: another request came with it"));
    return true;
  }
  auto known = look_up(service, found->run, call.key.id);
  if (!known) return false;
  auto reply = json_reply((*known)["state"] == "finished" ? 200 : 202, *known);
  reply.headers.push_back({"idempotent-replayed", "true"});
  reply.headers.push_back({"location", "/v1/runs/" + found->run});
  exchange->reply(std::move(reply));
  return true;
}

Error not_json(const Call& call) {
  return make_error(ErrorKind::kInvalidInput,
                    call.body.empty() ? "the body is empty" : "the body is not JSON");
}

}  // namespace

Json answer_of(const RunResult& result) {
  Json answer = result.record;
  answer["message"] = reason_of(result.record);
  Json files = Json::array();
  for (const auto& file : result.files) {
    Json made = {{"name", file.name}, {"size", file.content.size()}};
    if (is_text(file.content)) {
      made["content"] = file.content;
    } else {
      made["content_base64"] = to_base64(file.content);
    }
    files.push_back(std::move(made));
  }
  answer["files"] = std::move(files);
  return answer;
}

void execute(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  auto document = Json::parse(call.body, nullptr, false);
  if (document.is_discarded()) return exchange->reply(wrong_reply(wording(), not_json(call)));
  auto request = make_run_request(std::move(document), call.key.allowed);
  if (!request.ok()) return exchange->reply(wrong_reply(wording(), request.error()));
  if (answer_again(service, call, exchange)) return;
  const bool named = !call.header("idempotency-key").empty();
  if (wants_later(call) || named) {
    return run_on(service, call, exchange, request.release_value());
  }
  if (const auto form = stream_form(call)) {
    return run_and_stream(service, call, exchange, request.release_value(), *form);
  }
  run_and_reply(service, call, exchange, request.release_value(), wording());
}

// The guard's word alone.
void validate(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  auto document = Json::parse(call.body, nullptr, false);
  if (!document.is_object()) return exchange->reply(wrong_reply(wording(), not_json(call)));
  document["run"] = false;
  auto request = make_run_request(std::move(document), call.key.allowed);
  if (!request.ok()) return exchange->reply(wrong_reply(wording(), request.error()));
  Wording words = wording();
  words.result = [](const RunResult& result) {
    const auto& record = result.record;
    return json_reply(200, {{"safe", status_of(record) != "rejected"},
                            {"language", record.value("language", "")},
                            {"profile", record.value("profile", "")},
                            {"violations", record.value("violations", Json::array())},
                            {"warnings", record.value("warnings", Json::array())}});
  };
  run_and_reply(service, call, exchange, request.release_value(), words);
}

void show_run(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  auto known = look_up(service, call.parts[0], call.key.id);
  if (!known) return exchange->reply(error_reply(404, "not_found", "there is no such run"));
  exchange->reply(json_reply(200, *known));
}

void delete_run(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto& id = call.parts[0];
  if (!look_up(service, id, call.key.id)) {
    return exchange->reply(error_reply(404, "not_found", "there is no such run"));
  }
  if (service.jobs.cancel(id))
    return exchange->reply(json_reply(202, {{"id", id}, {"state", "ending"}}));
  service.results.remove(id, call.key.id);
  service.async_runs.erase(id);
  exchange->reply({204, "", "application/json", {}});
}

void run_events(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto found = service.async_runs.find(call.parts[0]);
  if (found == service.async_runs.end() || found->second.key != call.key.id) {
    return exchange->reply(error_reply(404, "not_found",
                                       "there is no such run, or its events are "
                                       "not kept any more"));
  }
  stream_feed(service, call, exchange, found->second.feed, stream_form(call).value_or(Form::kSse));
}

void languages(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto& allowed = call.key.allowed.languages;
  Json list = Json::array();
  for (const auto& here : service.languages) {
    if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), here.name) == allowed.end()) {
      continue;
    }
    list.push_back({{"name", here.name}, {"version", here.version}});
  }
  exchange->reply(json_reply(200, {{"languages", list}}));
}

void healthz(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  exchange->reply(json_reply(200, {{"status", "ok"}}));
}

// Whether a program really runs: one does.
void readyz(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  Call canary = call;
  canary.key.id = "readyz";
  canary.key.allowed = {};
  auto request = make_run_request({{"language", "bash"},
                                   {"source", "echo ready\n"},
                                   {"limits", {{"wall_time_ms", 5000}}},
                                   {"deadline_ms", 8000}},
                                  canary.key.allowed);
  if (!request.ok()) return exchange->reply(wrong_reply(wording(), request.error()));
  Wording words = wording();
  words.result = [](const RunResult& result) {
    const bool ready = stream_of(result.record, "stdout") == "ready\n";
    return json_reply(ready ? 200 : 503, {{"status", ready ? "ready" : "not ready"},
                                          {"message", reason_of(result.record)}});
  };
  words.no = [](unsigned, std::string_view, const std::string& message) {
    return json_reply(503, {{"status", "not ready"}, {"message", message}});
  };
  service.readiness.ask(exchange, [&](const std::shared_ptr<Exchange>& everybody) {
    run_and_reply(service, canary, everybody, request.release_value(), words);
  });
}

void metrics(Service& service, Call&, const std::shared_ptr<Exchange>& exchange) {
  Reply reply;
  reply.type = "text/plain; version=0.0.4; charset=utf-8";
  reply.body = service.metrics.text(
      {service.jobs.queued(), service.jobs.running(), service.connections}, LANGSBX_VERSION);
  exchange->reply(std::move(reply));
}

}  // namespace langsbx::serve::native
