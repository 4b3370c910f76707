// A name in a table that is made at compile time, held in place: pointers to names would have to be
// relocated, page by page, whenever the program starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace langsbx::languages {

class TableName {
 public:
  constexpr TableName() = default;
  // One that is too long does not compile: it would be written behind the end.
  constexpr TableName(std::string_view text) : size_(static_cast<std::uint8_t>(text.size())) {
    for (std::size_t i = 0; i < text.size(); ++i) text_[i] = text[i];
  }
  constexpr TableName(const char* text) : TableName(std::string_view(text)) {}

  constexpr operator std::string_view() const { return view(); }
  [[nodiscard]] constexpr std::string_view view() const { return {text_, size_}; }

 private:
  char text_[47] = {};
  std::uint8_t size_ = 0;
};

}  // namespace langsbx::languages
