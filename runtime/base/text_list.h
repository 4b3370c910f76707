// A long list of texts that is made at compile time: the texts themselves, one behind the other. A
// table of pointers would be written, page by page, at every start of the program. For a short list
// or one column of a row, std::string_view is plainer and costs nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string_view>
#include <type_traits>

namespace langsbx {

template <std::size_t kCount, std::size_t kBytes>
class TextList {
 public:
  class Iterator {
   public:
    using value_type = std::string_view;
    using reference = std::string_view;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;  // what a reference is in C++17
    using iterator_concept = std::forward_iterator_tag;

    constexpr Iterator() = default;
    constexpr Iterator(const TextList* list, std::size_t row) : list_(list), row_(row) {}
    constexpr std::string_view operator*() const { return (*list_)[row_]; }
    constexpr Iterator& operator++() {
      ++row_;
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++row_;
      return before;
    }
    friend constexpr bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const TextList* list_ = nullptr;
    std::size_t row_ = 0;
  };

  // `text_of` gives the text of a row.
  template <typename Texts>
  constexpr explicit TextList(const Texts& text_of) {
    std::size_t end = 0;
    for (std::size_t row = 0; row < kCount; ++row) {
      const std::string_view text = text_of(row);
      std::copy(text.begin(), text.end(), bytes_.begin() + end);
      starts_[row + 1] = static_cast<Start>(end += text.size());
    }
  }

  constexpr std::string_view operator[](std::size_t row) const {
    return {bytes_.data() + starts_[row],
            static_cast<std::size_t>(starts_[row + 1] - starts_[row])};
  }
  [[nodiscard]] static constexpr std::size_t size() { return kCount; }
  [[nodiscard]] constexpr Iterator begin() const { return {this, 0}; }
  [[nodiscard]] constexpr Iterator end() const { return {this, kCount}; }
  [[nodiscard]] constexpr bool contains(std::string_view text) const {
    return std::find(begin(), end(), text) != end();
  }

 private:
  using Start = std::conditional_t<kBytes <= 0xFFFF, std::uint16_t, std::uint32_t>;
  std::array<Start, kCount + 1> starts_{};
  std::array<char, kBytes> bytes_{};
};

// constexpr auto kColours = text_list("red", "green");
template <std::size_t... kSizes>
constexpr auto text_list(const char (&... texts)[kSizes]) {
  constexpr std::array kLengths = {kSizes - 1 ...};
  constexpr std::size_t kBytes = std::accumulate(kLengths.begin(), kLengths.end(), std::size_t{0});
  const char* const views[] = {texts...};
  return TextList<sizeof...(kSizes), kBytes>(
      [&](std::size_t row) { return std::string_view(views[row], kLengths[row]); });
}

// Whether a text is one of a few that are named where it is asked.
template <std::size_t... kSizes>
constexpr bool is_one_of(std::string_view text, const char (&... texts)[kSizes]) {
  return ((text == std::string_view(texts, kSizes - 1)) || ...);
}

}  // namespace langsbx
