// What waits, bounded: for each key in the order of arrival, and between keys in turn.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace langsbx::serve {

template <typename T>
class FairQueue {
 public:
  explicit FairQueue(std::size_t most) : most_(most) {}

  // False: full, for this key or in all.
  bool push(const std::string& key, std::size_t most_of_key, T item) {
    auto& line = lines_[key];
    if (size_ >= most_ || line.items.size() >= most_of_key) {
      if (line.items.empty() && line.running == 0) lines_.erase(key);
      return false;
    }
    line.items.push_back(std::move(item));
    ++size_;
    return true;
  }

  // The next item of the key whose turn it is. `may_run(key, running)` says whether a key may have
  // one more; the item counts as running until finished(key).
  template <typename MayRun>
  std::optional<T> pop(const MayRun& may_run) {
    if (size_ == 0) return {};
    auto place = lines_.upper_bound(last_);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (place == lines_.end()) place = lines_.begin();
      auto& line = place->second;
      if (!line.items.empty() && may_run(place->first, line.running)) {
        T item = std::move(line.items.front());
        line.items.pop_front();
        ++line.running;
        --size_;
        last_ = place->first;
        return item;
      }
      ++place;
    }
    return {};
  }

  void finished(const std::string& key) {
    const auto place = lines_.find(key);
    if (place == lines_.end()) return;
    if (place->second.running > 0) --place->second.running;
    forget(place);
  }

  // Takes one item out wherever it stands; false when it is not waiting any more.
  template <typename Is>
  bool remove(const std::string& key, const Is& is) {
    const auto place = lines_.find(key);
    if (place == lines_.end()) return false;
    auto& items = place->second.items;
    for (auto item = items.begin(); item != items.end(); ++item) {
      if (!is(*item)) continue;
      items.erase(item);
      --size_;
      forget(place);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Line {
    std::deque<T> items;
    std::size_t running = 0;
  };
  using Lines = std::map<std::string, Line>;

  void forget(typename Lines::iterator place) {
    if (place->second.items.empty() && place->second.running == 0) lines_.erase(place);
  }

  Lines lines_;
  std::string last_;  // whose item was taken last
  std::size_t size_ = 0;
  std::size_t most_;
};

}  // namespace langsbx::serve
