// Bytes that come in pieces, as text: a character cut between two pieces waits for its rest.
#pragma once

#include <string>
#include <string_view>

#include "languages/unicode.h"

namespace langsbx::serve {

class Utf8Parts {
 public:
  struct Part {
    std::string text;   // whole characters, or
    std::string bytes;  // what is no UTF-8
  };

  Part take(std::string_view more) {
    rest_ += more;
    std::size_t end = 0;
    while (end < rest_.size()) {
      const auto length = languages::decode_utf8(rest_, end).length;
      if (length == 0) break;
      end += length;
    }
    Part part;
    part.text = rest_.substr(0, end);
    rest_.erase(0, end);
    // Fewer than four bytes may be the beginning of a character.
    if (rest_.size() < 4) return part;
    part.bytes = std::move(rest_);
    rest_.clear();
    return part;
  }
  // At the end: the beginning of a character whose rest never came.
  std::string left() { return std::move(rest_); }

 private:
  std::string rest_;
};

}  // namespace langsbx::serve
