#include "cmd/langsbxd/remembered.h"

#include <algorithm>

namespace langsbx::serve {

const RememberedRun* Remembered::find(const std::string& key, std::string_view name) const {
  const auto of_key = keys_.find(key);
  if (of_key == keys_.end()) return nullptr;
  const auto found = of_key->second.runs.find(name);
  return found == of_key->second.runs.end() ? nullptr : &found->second;
}

void Remembered::put(const std::string& key, const std::string& name, RememberedRun run) {
  auto& of_key = keys_[key];
  if (!of_key.runs.insert_or_assign(name, std::move(run)).second) return;
  of_key.by_age.push_back(name);
  ++count_;
  while (count_ > most_) forget_one();
}

void Remembered::forget_one() {
  const auto largest =
      std::max_element(keys_.begin(), keys_.end(), [](const auto& one, const auto& other) {
        return one.second.runs.size() < other.second.runs.size();
      });
  auto& of_key = largest->second;
  of_key.runs.erase(of_key.by_age.front());
  of_key.by_age.pop_front();
  --count_;
  if (of_key.runs.empty()) keys_.erase(largest);
}

}  // namespace langsbx::serve
