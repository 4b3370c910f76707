// One column of texts of a table that is made at compile time: the texts themselves, one behind the
// other. Pointers to them would have to be relocated, page by page, whenever the program starts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace langsbx::languages {

template <std::size_t kRows, std::size_t kBytes>
struct TextColumn {
  std::array<std::uint32_t, kRows + 1> starts{};
  std::array<char, kBytes> bytes{};

  constexpr std::string_view operator[](std::size_t row) const {
    return {bytes.data() + starts[row], starts[row + 1] - starts[row]};
  }
};

// The texts that `kText` points to in the rows of `kTable`.
template <const auto& kTable, auto kText>
constexpr auto text_column() {
  constexpr std::size_t kBytes = [] {
    std::size_t size = 0;
    for (const auto& row : kTable) size += (row.*kText).size();
    return size;
  }();
  TextColumn<std::size(kTable), kBytes> column;
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < std::size(kTable); ++i) {
    const std::string_view text = kTable[i].*kText;
    std::copy(text.begin(), text.end(), column.bytes.begin() + end);
    column.starts[i + 1] = end += static_cast<std::uint32_t>(text.size());
  }
  return column;
}

}  // namespace langsbx::languages
