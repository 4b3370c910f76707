// What happens in one run, numbered, for those who look on as it happens or come back later.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

namespace langsbx::serve {

struct FeedEvent {
  std::uint64_t number = 0;  // from 1
  std::string type;          // "started", "stdout", "stderr", "result", ...
  std::string data;          // one JSON document
};

class Feed {
 public:
  using Listener = std::function<void(const FeedEvent& event)>;

  // Keeps at most that many bytes: the oldest events go first.
  explicit Feed(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void add(std::string type, std::string data);
  // No event comes any more.
  void close();
  [[nodiscard]] bool closed() const { return closed_; }

  // Calls with what came after event `last`, then with what comes. `lost` is set when some of it
  // is not kept any more. The number ends it.
  std::uint64_t listen(std::uint64_t last, bool& lost, Listener listener);
  void leave(std::uint64_t number) { listeners_.erase(number); }

 private:
  std::deque<FeedEvent> events_;
  std::map<std::uint64_t, Listener> listeners_;
  std::uint64_t next_ = 1, next_listener_ = 1;
  std::size_t bytes_ = 0, most_bytes_;
  bool closed_ = false;
};

}  // namespace langsbx::serve
