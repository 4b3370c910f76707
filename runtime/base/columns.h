// Columns of a table that exists only while the program is compiled. A table with pointers in it
// would have to be relocated, page by page, whenever the program starts; its columns need not: the
// texts lie one behind the other, pointers stand in the code that gives them.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include "runtime/base/text_list.h"

namespace langsbx {

// The texts that `kText` points to in the rows of `kTable`.
template <const auto& kTable, auto kText>
constexpr auto text_column() {
  constexpr std::size_t kBytes = [] {
    std::size_t size = 0;
    for (const auto& row : kTable) size += (row.*kText).size();
    return size;
  }();
  return TextList<std::size(kTable), kBytes>([](std::size_t row) { return kTable[row].*kText; });
}

template <const auto& kTable, auto kMember>
constexpr auto value_column() {
  std::array<std::remove_cvref_t<decltype(kTable[0].*kMember)>, std::size(kTable)> column{};
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = kTable[i].*kMember;
  return column;
}

// Calls `visit` with `row` as a constant, for what a row holds beside texts; not at all when there
// are no more than `row` rows.
template <std::size_t kCount, typename Visit>
constexpr void with_row(std::size_t row, const Visit& visit) {
  [&]<std::size_t... kRows>(std::index_sequence<kRows...>) {
    static_cast<void>(
        ((row == kRows && (visit(std::integral_constant<std::size_t, kRows>()), true)) || ...));
  }
  (std::make_index_sequence<kCount>());
}

}  // namespace langsbx
