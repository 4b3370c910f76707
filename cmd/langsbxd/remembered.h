// Requests that may come again: by key and Idempotency-Key. Bounded, and no key makes the service
// forget what another one asked.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace langsbx::serve {

struct RememberedRun {
  std::string digest;  // of method, path and body
  std::string run;
};

class Remembered {
 public:
  explicit Remembered(std::size_t most = 10'000) : most_(most) {}

  // Nullptr: this key has asked nothing by that name, or long ago.
  [[nodiscard]] const RememberedRun* find(const std::string& key, std::string_view name) const;
  // When there are too many, the key that has most loses its oldest.
  void put(const std::string& key, const std::string& name, RememberedRun run);
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  struct OfKey {
    std::map<std::string, RememberedRun, std::less<>> runs;
    std::deque<std::string> by_age;
  };

  void forget_one();

  std::size_t most_;
  std::size_t count_ = 0;
  std::map<std::string, OfKey> keys_;
};

}  // namespace langsbx::serve
