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
  explicit Readiness(std::chrono::milliseconds kept = std::chrono::seconds(2)) : kept_(kept) {}

  // Replies with the last answer while it is young; else `run` is asked for a new one, once for all
  // who wait for it.
  using Run = std::function<void(const std::shared_ptr<Exchange>& everybody)>;
  void ask(const std::shared_ptr<Exchange>& exchange, const Run& run);

 private:
  class Everybody;
  void take(const Reply& reply);

  std::chrono::milliseconds kept_;
  std::chrono::steady_clock::time_point until_;
  Reply last_;
  bool asked_ = false;
  std::vector<std::shared_ptr<Exchange>> waiting_;
};

}  // namespace langsbx::serve
