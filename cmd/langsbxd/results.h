// Answers of runs that nobody waited for: on disk, bounded in number, bytes and age. A restart
// loses none of them. When there are too many, the key that has most loses its oldest.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::serve {

struct ResultBounds {
  std::size_t most = 10'000;
  std::size_t bytes = 1U << 30U;
  std::chrono::seconds age{3600};
};

class Results {
 public:
  // Makes the folder, and takes over what an earlier service left there.
  static Result<Results> open(const std::string& folder, ResultBounds bounds);

  // On the disk when it returns: written beside, synced, renamed.
  Result<void> keep(const std::string& id, const std::string& key, const nlohmann::json& answer);
  // Of that key only; nothing for others' ids, old ones and unknown ones.
  [[nodiscard]] std::optional<nlohmann::json> find(const std::string& id,
                                                   const std::string& key) const;
  bool remove(const std::string& id, const std::string& key);
  // To be called now and then.
  void drop_old();
  [[nodiscard]] std::size_t count() const { return entries_.size(); }

 private:
  struct Entry {
    std::size_t size = 0;
    std::time_t made = 0;
    std::string owner;  // stands for the key
  };
  struct Share {
    std::size_t count = 0, bytes = 0;
  };

  void add(const std::string& id, Entry entry);
  void forget(std::map<std::string, Entry>::iterator entry);
  void make_room();

  UniqueFd folder_;
  ResultBounds bounds_;
  std::map<std::string, Entry> entries_;
  std::multimap<std::time_t, std::string> by_age_;
  std::map<std::string, Share> shares_;  // of an owner
  std::size_t bytes_ = 0;
};

}  // namespace langsbx::serve
