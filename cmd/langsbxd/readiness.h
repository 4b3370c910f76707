// One run says to all who ask whether programs run: those who need no key keep nobody else waiting.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "cmd/langsbxd/call.h"

namespace langsbx::serve {

class Readiness {
 public:
  explicit Readiness(std::chrono::milliseconds kept = std::chrono::seconds(2))
      : state_(std::make_shared<State>()) {
    state_->kept = kept;
  }

  // Replies with the last answer while it is young; else `run` is asked for a new one, once for all
  // who wait for it.
  using Run = std::function<void(const std::shared_ptr<Exchange>& everybody)>;
  void ask(const std::shared_ptr<Exchange>& exchange, const Run& run);

 private:
  // Runs hold it weakly: they may end behind the service.
  struct State {
    std::chrono::milliseconds kept{};
    std::chrono::steady_clock::time_point until;
    Reply last;
    bool asked = false;
    std::vector<std::shared_ptr<Exchange>> waiting;
    void take(const Reply& reply);
  };
  class Everybody;

  std::shared_ptr<State> state_;
};

}  // namespace langsbx::serve
