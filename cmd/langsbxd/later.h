// Runs that go on without their caller: what they answer is kept, and asked for by the run's id.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "cmd/langsbxd/service.h"

namespace langsbx::serve {

// How an interface words what is kept.
struct LaterWording {
  std::function<Json(const RunResult& result)> result;  // there is a record
  std::function<Json(const std::string& fault)> fault;  // there is none: the service's own failure
  std::function<Json(NotRun why)> not_run;
  std::function<void(const Json& answer)> then;  // it has been kept now; may be absent
};

// The run's id.
std::variant<std::string, QueueFull> run_later(Service& service, const Key& key, RunRequest request,
                                               LaterWording wording);

enum class LaterState { kQueued, kRunning, kFinished };
struct LaterRun {
  LaterState state = LaterState::kQueued;
  Json answer;  // of one that is finished
};
// Empty: there is none of that id for this key.
std::optional<LaterRun> find_later(Service& service, const std::string& id, const std::string& key);

}  // namespace langsbx::serve
