#include "runtime/base/columns.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace langsbx {
namespace {

struct Row {
  std::string_view name;
  int value;
  int (*twice)(int);
};
constexpr Row kRows[] = {{"one", 1, [](int value) { return 2 * value; }},
                         {"", 2, nullptr},
                         {"three", 3, [](int value) { return -value; }}};
constexpr auto kNames = text_column<kRows, &Row::name>();

TEST(Columns, TextsAreThoseOfTheRows) {
  static_assert(kNames.size() == 3);
  EXPECT_EQ(kNames[0], "one");
  EXPECT_EQ(kNames[1], "");
  EXPECT_EQ(kNames[2], "three");
}

TEST(Columns, ValuesAreThoseOfTheRows) {
  constexpr auto kValues = value_column<kRows, &Row::value>();
  EXPECT_EQ(kValues, (std::array{1, 2, 3}));
}

int called(std::size_t row, int value) {
  int result = 0;
  with_row<3>(row, [&](auto constant) {
    if constexpr (kRows[constant].twice != nullptr) result = kRows[constant].twice(value);
  });
  return result;
}

TEST(Columns, ARowIsAskedAsAConstant) {
  EXPECT_EQ(called(0, 5), 10);
  EXPECT_EQ(called(1, 5), 0);
  EXPECT_EQ(called(2, 5), -5);
  EXPECT_EQ(called(3, 5), 0);
}

}  // namespace
}  // namespace langsbx
