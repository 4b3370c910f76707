// Names of a source that are gathered first and asked for afterwards: a list, put in order once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "languages/scanner/words.h"

namespace langsbx::languages::javascript {

class GatheredNames {
 public:
  void add(std::string_view name) {
    names_.emplace_back(scanner::name_hash(name), name);
    in_order_ = false;
  }
  [[nodiscard]] bool contains(std::string_view name) {
    if (names_.empty()) return false;
    if (!in_order_) std::sort(names_.begin(), names_.end());
    in_order_ = true;
    return std::binary_search(names_.begin(), names_.end(), Name(scanner::name_hash(name), name));
  }

 private:
  using Name = std::pair<std::uint16_t, std::string_view>;  // what tells most apart is first
  std::vector<Name> names_;
  bool in_order_ = true;
};

}  // namespace langsbx::languages::javascript
