// Judge0: /submissions, alone and in batches, and what its clients ask beside.
#include <array>
#include <sstream>

#include "cmd/langsbxd/callback.h"
#include "cmd/langsbxd/doors/doors.h"
#include "cmd/langsbxd/doors/judge0_submission.h"
#include "cmd/langsbxd/later.h"
#include "cmd/langsbxd/run_answer.h"
#include "langsbx_version.h"

namespace langsbx::serve::doors {
namespace {

using judge0::Faults;
using judge0::Submission;

constexpr std::size_t kMostOfBatch = 20;
constexpr const char* kNotText =
    "some attributes for this submission cannot be converted to UTF-8, use base64_encoded=true "
    "query parameter";

Reply no(unsigned status, std::string_view code, const std::string& message) {
  if (code == "queue_full") return json_reply(503, {{"error", "queue is full"}});
  return json_reply(status, {{"error", message}});
}

bool wants_base64(const Call& call) { return call.query_value("base64_encoded") == "true"; }

// Ready to run, or what is wrong with it by attribute.
struct Checked {
  Submission submission;
  RunRequest request;
  std::optional<CallbackAddress> callback;
};
std::optional<Checked> check(Service& service, const Call& call, const Json& attributes,
                             Faults& faults) {
  if (!attributes.is_object()) {
    faults.add("source_code", "can't be blank");
    return {};
  }
  Checked made;
  made.submission = read_submission(service, attributes, wants_base64(call), faults);
  if (!made.submission.callback.empty()) {
    auto address = parse_callback(made.submission.callback, service.callback_hosts);
    if (address.ok()) {
      made.callback = address.release_value();
    } else {
      faults.add("callback_url", address.error().message);
    }
  }
  if (faults.any()) return {};
  auto request = make_run_request(made.submission.document, call.key.allowed);
  if (request.ok()) {
    made.request = request.release_value();
    return made;
  }
  // "limits.wall_time_ms: ...": by the member, which is none of Judge0's.
  const auto& message = request.error().message;
  const bool network = message.starts_with("network");
  faults.add(network ? "enable_network" : message.substr(0, message.find(':')), message);
  return {};
}

Reply reply_of(unsigned status, const Json& columns, const Call& call) {
  const auto made = judge0::shown(columns, call.query_value("fields"), wants_base64(call));
  return made ? json_reply(status, *made) : json_reply(400, {{"error", kNotText}});
}

Json kept(const Json& columns) { return {{"judge0", columns}}; }

// The token, under which the columns are found when they are there.
std::variant<std::string, QueueFull> submit(Service& service, const Call& call, Checked checked) {
  const auto columns = std::make_shared<Json>(std::move(checked.submission.columns));
  LaterWording words;
  words.result = [columns](const RunResult& result) {
    return kept(judge0::judged(*columns, result));
  };
  words.fault = [columns](const std::string& fault) {
    return kept(judge0::not_judged(*columns, 0, fault));
  };
  words.not_run = [columns](NotRun) {
    return kept(
        judge0::not_judged(*columns, 0, "the submission did not run: the service is busy or ends"));
  };
  const auto token = std::make_shared<std::string>();
  if (checked.callback) {
    words.then = [&service, token, address = *checked.callback](const Json& answer) {
      Json columns_now = answer.value("judge0", Json::object());
      columns_now["token"] = *token;
      // Judge0 sends texts as Base64, whatever the caller asked for.
      const auto body = judge0::shown(columns_now, "", true);
      call_back(service.loop, address, body->dump());
    };
  }
  const Json waiting = *columns;
  auto submitted = run_later(service, call.key, std::move(checked.request), std::move(words));
  if (const auto* id = std::get_if<std::string>(&submitted)) {
    *token = *id;
    const auto found = service.async_runs.find(*id);
    if (found != service.async_runs.end()) found->second.about = waiting;
  }
  return submitted;
}

// The columns of a token as they are now.
std::optional<Json> columns_of(Service& service, const std::string& token, const std::string& key) {
  auto found = find_later(service, token, key);
  if (!found) return {};
  Json columns;
  if (found->state == LaterState::kFinished) {
    if (!found->answer.contains("judge0")) return {};
    columns = std::move(found->answer["judge0"]);
  } else {
    const auto run = service.async_runs.find(token);
    if (run == service.async_runs.end() || !run->second.about.is_object()) return {};
    const bool runs = found->state == LaterState::kRunning;
    columns =
        judge0::not_judged(run->second.about, runs ? judge0::kProcessing : judge0::kInQueue, "");
  }
  columns["token"] = token;
  return columns;
}

// Waits for the result; nothing is kept.
void judge_now(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange,
               Checked checked) {
  auto token = random_id();
  if (!token.ok()) return exchange->reply(no(500, "", token.error().to_string()));
  Wording words;
  words.no = no;
  words.result = [columns = std::move(checked.submission.columns), id = *token,
                  asked = call](const RunResult& result) {
    Json made = judge0::judged(columns, result);
    made["token"] = id;
    return reply_of(201, made, asked);
  };
  run_and_reply(service, call, exchange, std::move(checked.request), std::move(words));
}

Json title_of(const Service& service, const judge0::Language& language) {
  for (const auto& here : service.languages) {
    if (here.name == language.name) {
      return {{"id", language.id},
              {"name", std::string(language.title) + " (" + here.version + ")"}};
    }
  }
  return nullptr;
}

Json languages_here(const Service& service) {
  Json list = Json::array();
  for (const auto& language : judge0::all_languages()) {
    Json one = title_of(service, language);
    if (!one.is_null()) list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

void judge0_submit(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  Faults faults;
  auto checked = check(service, call, Json::parse(call.body, nullptr, false), faults);
  if (!checked) return exchange->reply(json_reply(422, faults.by_attribute));
  if (call.query_value("wait") == "true") {
    return judge_now(service, call, exchange, std::move(*checked));
  }
  const auto submitted = submit(service, call, std::move(*checked));
  if (const auto* full = std::get_if<QueueFull>(&submitted)) {
    return exchange->reply(full_reply({nullptr, no}, *full));
  }
  exchange->reply(json_reply(201, {{"token", std::get<std::string>(submitted)}}));
}

void judge0_submit_batch(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto body = Json::parse(call.body, nullptr, false);
  const auto list = body.is_object() ? body.value("submissions", Json()) : Json();
  if (!list.is_array() || list.empty()) {
    return exchange->reply(
        json_reply(400, {{"error", "there should be at least one submission in a batch"}}));
  }
  if (list.size() > kMostOfBatch) {
    return exchange->reply(json_reply(
        400, {{"error", "number of submissions in a batch should be less than or equal to 20"}}));
  }
  Json answers = Json::array();
  for (const auto& attributes : list) {
    Faults faults;
    auto checked = check(service, call, attributes, faults);
    if (!checked) {
      answers.push_back(faults.by_attribute);
      continue;
    }
    const auto submitted = submit(service, call, std::move(*checked));
    const auto* token = std::get_if<std::string>(&submitted);
    answers.push_back(token != nullptr ? Json{{"token", *token}}
                                       : Json{{"error", "queue is full"}});
  }
  exchange->reply(json_reply(201, answers));
}

void judge0_show(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  auto columns = columns_of(service, call.parts[0], call.key.id);
  if (!columns) return exchange->reply(no(404, "", "there is no such submission"));
  const auto id = (*columns)["language_id"];
  for (const auto& language : judge0::all_languages()) {
    if (id == language.id) (*columns)["language"] = title_of(service, language);
  }
  exchange->reply(reply_of(200, *columns, call));
}

void judge0_show_batch(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  std::istringstream tokens{std::string(call.query_value("tokens"))};
  Json list = Json::array();
  for (std::string token; std::getline(tokens, token, ',');) {
    if (list.size() == kMostOfBatch) {
      return exchange->reply(json_reply(
          400, {{"error", "number of submissions in a batch should be less than or equal to 20"}}));
    }
    const auto columns = columns_of(service, token, call.key.id);
    if (!columns) {
      list.push_back(nullptr);
      continue;
    }
    auto made = judge0::shown(*columns, call.query_value("fields"), wants_base64(call));
    if (!made) return exchange->reply(json_reply(400, {{"error", kNotText}}));
    list.push_back(std::move(*made));
  }
  exchange->reply(json_reply(200, {{"submissions", list}}));
}

void judge0_delete(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto& token = call.parts[0];
  const auto columns = columns_of(service, token, call.key.id);
  if (!columns) return exchange->reply(no(404, "", "there is no such submission"));
  const auto& status = (*columns)["status"];
  if (status["id"] == judge0::kInQueue || status["id"] == judge0::kProcessing) {
    return exchange->reply(no(400, "",
                              "submission cannot be deleted because its status is " +
                                  status["id"].dump() + " (" +
                                  status["description"].get<std::string>() + ")"));
  }
  auto reply = reply_of(200, *columns, call);
  service.results.remove(token, call.key.id);
  service.async_runs.erase(token);
  exchange->reply(std::move(reply));
}

void judge0_languages(Service& service, Call&, const std::shared_ptr<Exchange>& exchange) {
  exchange->reply(json_reply(200, languages_here(service)));
}

void judge0_language(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  for (auto& language : languages_here(service)) {
    if (language["id"].dump() != call.parts[0]) continue;
    language["is_archived"] = false;
    return exchange->reply(json_reply(200, language));
  }
  exchange->reply(no(404, "", "there is no such language"));
}

void judge0_statuses(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  Json list = Json::array();
  for (const auto& status : judge0::all_statuses()) {
    list.push_back({{"id", status.id}, {"description", status.description}});
  }
  exchange->reply(json_reply(200, list));
}

void judge0_about(Service&, Call&, const std::shared_ptr<Exchange>& exchange) {
  exchange->reply(json_reply(200, {{"version", LANGSBX_VERSION}, {"server", "langsbx serve"}}));
}

void judge0_workers(Service& service, Call&, const std::shared_ptr<Exchange>& exchange) {
  const auto workers = service.jobs.options().workers;
  const auto running = service.jobs.running();
  exchange->reply(json_reply(200, Json::array({{{"queue", "default"},
                                                {"size", service.jobs.queued()},
                                                {"available", workers},
                                                {"idle", workers - std::min(workers, running)},
                                                {"working", running},
                                                {"paused", 0},
                                                {"failed", 0}}})));
}

}  // namespace langsbx::serve::doors
