// A short text for tables that are made at compile time: it lies in the table itself. A pointer to
// it would have to be relocated, page by page, whenever the program starts. For texts of uneven
// length: text_list.h; for a column of a large table: columns.h.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace langsbx {

template <std::size_t kCapacity>
class ShortText {
 public:
  constexpr ShortText() = default;
  template <std::size_t kSize>
  constexpr ShortText(const char (&text)[kSize])  // NOLINT: implicit, as a string_view's
      : size_(static_cast<Size>(kSize - 1)) {
    static_assert(kSize - 1 <= kCapacity && kCapacity <= 0xFFFF);
    std::copy(text, text + kSize - 1, bytes_);
  }

  [[nodiscard]] constexpr std::string_view view() const { return {bytes_, size_}; }
  constexpr operator std::string_view() const { return view(); }  // NOLINT: implicit
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  constexpr char operator[](std::size_t i) const { return bytes_[i]; }
  [[nodiscard]] constexpr bool starts_with(std::string_view text) const {
    return view().starts_with(text);
  }

  friend constexpr bool operator==(const ShortText& a, std::string_view b) { return a.view() == b; }
  template <std::size_t kSize>
  friend constexpr bool operator==(const ShortText& a, const char (&b)[kSize]) {
    return a.view() == std::string_view(b);
  }
  friend constexpr auto operator<=>(const ShortText& a, std::string_view b) {
    return a.view() <=> b;
  }
  friend constexpr bool operator==(const ShortText& a, const ShortText& b) {
    return a.view() == b.view();
  }
  friend constexpr auto operator<=>(const ShortText& a, const ShortText& b) {
    return a.view() <=> b.view();
  }

 private:
  using Size = std::conditional_t<(kCapacity < 256), std::uint8_t, std::uint16_t>;
  char bytes_[kCapacity] = {};
  Size size_ = 0;
};

}  // namespace langsbx
