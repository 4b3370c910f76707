#include "cmd/langsbxd/native.h"

#include <algorithm>
#include <array>

#include "cmd/langsbxd/run_answer.h"
#include "cmd/langsbxd/stream.h"
#include "langsbx_version.h"
#include "languages/unicode.h"
#include "runtime/base/base64.h"

namespace langsbx::serve::native {
namespace {

constexpr std::size_t kMostOfFeed = 4U << 20U;

bool is_text(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto length = langsbx::languages::decode_utf8(bytes, i).length;
    if (length == 0) return false;
    i += length;
  }
  return true;
}

Wording wording() {
  return {[](const RunResult& result) { return json_reply(200, answer_of(result)); }, error_reply};
}

bool wants_later(const Call& call) {
  return call.header("prefer").find("respond-async") != std::string_view::npos ||
         call.query_value("async") == "true";
}

// As a run that was not streamed has them. What the compiler said is in the record already.
void put_outputs(const std::array<std::string, 2>& written, Json& record) {
  if (!record.is_object()) return;
  for (const std::size_t i : {0U, 1U}) {
    const std::string name = i == 0 ? "stdout" : "stderr";
    const std::string text = written[i] + record.value(name, "");
    record[name] = text;
    if (!is_text(text)) record[name + "_base64"] = to_base64(text);
  }
}

// Runs on without its caller; the answer is kept.
void run_later(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
               RunRequest request) {
  AsyncRun run;
  run.key = call.key.id;
  run.feed = std::make_shared<Feed>(kMostOfFeed);
  const auto id = std::make_shared<std::string>();
  JobEvents events;
  auto outputs = outputs_to(run.feed, [] { return true; });
  const auto written = std::make_shared<std::array<std::string, 2>>();
  events.output = [written, forward = std::move(outputs.output)](int stream,
                                                                 std::string_view bytes) {
    (*written)[static_cast<std::size_t>(stream - 1)] += bytes;
    return forward(stream, bytes);
  };
  events.started = [&service, id, feed = run.feed] {
    const auto found = service.async_runs.find(*id);
    if (found != service.async_runs.end()) found->second.started = true;
    feed->add("started", Json{{"id", *id}}.dump());
  };
  const auto keep = [&service, id, key = call.key.id](const Json& answer) {
    // Its caller finds it with GET; a full disk is told there.
    const auto kept = service.results.keep(*id, key, answer);
    if (!kept.ok()) service.metrics.turned_away("result_not_kept");
  };
  events.done = [keep, feed = run.feed, flush = outputs.flush, written](RunResult result) {
    flush();
    put_outputs(*written, result.record);
    const auto answer = result.record.is_object()
                            ? answer_of(result)
                            : Json{{"error", {{"code", "internal"}, {"message", result.fault}}}};
    keep(answer);
    feed->add("result", answer.dump(-1, ' ', false, Json::error_handler_t::replace));
    feed->close();
  };
  events.not_run = [keep, feed = run.feed](NotRun why) {
    const auto answer = Json::parse(not_run_reply(wording(), why).body, nullptr, false);
    keep(answer);
    feed->add("result", answer.dump());
    feed->close();
  };
  auto submitted = service.jobs.submit(call.key, std::move(request), std::move(events));
  if (const auto* full = std::get_if<QueueFull>(&submitted)) {
    return exchange->reply(full_reply(wording(), *full));
  }
  *id = std::get<std::string>(submitted);
  service.async_runs[*id] = std::move(run);
  if (const auto name = call.header("idempotency-key"); !name.empty()) {
    service.remembered.put(call.key.id, std::string(name),
                           {hash_of(call.method + call.path + "\n" + call.body), *id});
  }
  auto reply = json_reply(202, {{"id", *id}, {"state", "queued"}});
  reply.headers.push_back({"location", "/v1/runs/" + *id});
  exchange->reply(std::move(reply));
}

// Of a run that may come in later. Empty: there is none of that id for this key.
std::optional<Json> look_up(Service& service, const std::string& id, const std::string& key) {
  if (auto answer = service.results.find(id, key)) {
    return Json{{"id", id}, {"state", "finished"}, {"result", std::move(*answer)}};
  }
  const auto found = service.async_runs.find(id);
  if (found == service.async_runs.end() || found->second.key != key) return {};
  return Json{{"id", id}, {"state", found->second.started ? "running" : "queued"}};
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
    return run_later(service, call, exchange, request.release_value());
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
