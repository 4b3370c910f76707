#include "cmd/langsbxd/feed.h"

#include <vector>

namespace langsbx::serve {

void Feed::add(std::string type, std::string data) {
  bytes_ += data.size();
  events_.push_back({next_++, std::move(type), std::move(data)});
  while (bytes_ > most_bytes_ && events_.size() > 1) {
    bytes_ -= events_.front().data.size();
    events_.pop_front();
  }
  const FeedEvent event = events_.back();
  // A listener may leave while it is called.
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, listener] : listeners_) numbers.push_back(number);
  for (const auto number : numbers) {
    const auto found = listeners_.find(number);
    if (found == listeners_.end()) continue;
    const Listener listener = found->second;
    listener(event);
  }
}

void Feed::close() {
  closed_ = true;
  listeners_.clear();
}

std::uint64_t Feed::listen(std::uint64_t last, bool& lost, Listener listener) {
  lost = !events_.empty() && events_.front().number > last + 1;
  const auto kept = events_;
  const auto number = next_listener_++;
  if (!closed_) listeners_[number] = listener;
  for (const auto& event : kept) {
    if (event.number > last) listener(event);
  }
  return number;
}

}  // namespace langsbx::serve
