#include "cmd/langsbxd/later.h"

#include <array>
#include <memory>
#include <utility>

#include "cmd/langsbxd/run_answer.h"
#include "cmd/langsbxd/stream.h"
#include "runtime/base/base64.h"

namespace langsbx::serve {
namespace {

constexpr std::size_t kMostOfFeed = 4U << 20U;

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

}  // namespace

std::variant<std::string, QueueFull> run_later(Service& service, const Key& key, RunRequest request,
                                               LaterWording wording) {
  AsyncRun run;
  run.key = key.id;
  run.feed = std::make_shared<Feed>(kMostOfFeed);
  const auto id = std::make_shared<std::string>();
  const auto words = std::make_shared<LaterWording>(std::move(wording));
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
  const auto keep = [&service, id, words, owner = key.id, feed = run.feed](const Json& answer) {
    // Its caller finds it when they ask; a full disk is told there.
    const auto kept = service.results.keep(*id, owner, answer);
    if (!kept.ok()) service.metrics.turned_away("result_not_kept");
    feed->add("result", answer.dump(-1, ' ', false, Json::error_handler_t::replace));
    feed->close();
    if (words->then) words->then(answer);
  };
  events.done = [keep, words, flush = outputs.flush, written](RunResult result) {
    flush();
    put_outputs(*written, result.record);
    if (result.record.is_object()) return keep(words->result(result));
    keep(result.cancelled ? words->not_run(NotRun::kCancelled) : words->fault(result.fault));
  };
  events.not_run = [keep, words](NotRun why) { keep(words->not_run(why)); };
  auto submitted = service.jobs.submit(key, std::move(request), std::move(events));
  if (auto* full = std::get_if<QueueFull>(&submitted)) return *full;
  *id = std::get<std::string>(submitted);
  service.async_runs[*id] = std::move(run);
  return *id;
}

std::optional<LaterRun> find_later(Service& service, const std::string& id,
                                   const std::string& key) {
  if (auto answer = service.results.find(id, key)) {
    return LaterRun{LaterState::kFinished, std::move(*answer)};
  }
  const auto found = service.async_runs.find(id);
  if (found == service.async_runs.end() || found->second.key != key) return {};
  return LaterRun{found->second.started ? LaterState::kRunning : LaterState::kQueued, {}};
}

}  // namespace langsbx::serve
