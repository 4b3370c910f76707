#include "runtime/base/text_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx {
namespace {

constexpr auto kList = text_list("one", "", "three", "a\0b");

TEST(TextList, KeepsEveryTextAsItIs) {
  static_assert(kList.size() == 4);
  static_assert(kList[0] == "one");
  EXPECT_EQ(kList[1], "");
  EXPECT_EQ(kList[2], "three");
  EXPECT_EQ(kList[3], std::string_view("a\0b", 3));
}

TEST(TextList, IsWalkedInItsOrder) {
  std::vector<std::string_view> seen;
  for (const std::string_view text : kList) seen.push_back(text);
  EXPECT_EQ(seen, (std::vector<std::string_view>{"one", "", "three", {"a\0b", 3}}));
  EXPECT_EQ(std::ranges::find(kList, "three"), std::next(kList.begin(), 2));
  EXPECT_TRUE(std::ranges::any_of(kList, [](std::string_view text) { return text.empty(); }));
}

TEST(TextList, ContainsWholeTextsOnly) {
  EXPECT_TRUE(kList.contains("one"));
  EXPECT_TRUE(kList.contains(""));
  EXPECT_FALSE(kList.contains("on"));
  EXPECT_FALSE(kList.contains("onethree"));
  EXPECT_FALSE(kList.contains("a"));
}

TEST(IsOneOf, ComparesWholeTexts) {
  EXPECT_TRUE(is_one_of("two", "one", "two"));
  EXPECT_TRUE(is_one_of(std::string_view("a\0b", 3), "a\0b"));
  EXPECT_FALSE(is_one_of("tw", "one", "two"));
  EXPECT_FALSE(is_one_of("twofold", "one", "two"));
  EXPECT_FALSE(is_one_of("a", "a\0b"));
}

TEST(TextList, HoldsMoreThanSixtyFourKilobytes) {
  constexpr std::size_t kEach = 30'000;
  static const std::string text(kEach, 'x');
  const TextList<3, 3 * kEach> list([](std::size_t) { return std::string_view(text); });
  EXPECT_EQ(list[2], text);
  EXPECT_EQ(list[2].data(), list[0].data() + 2 * kEach);
}

}  // namespace
}  // namespace langsbx
