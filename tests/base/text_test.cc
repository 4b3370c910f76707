// Texts: what splits, what trims, what counts as a number.
#include "runtime/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace langsbx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Text, Trim) {
  EXPECT_EQ(trim(" \t\r\na b\n"), "a b");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("\n a \n", kBlanks), "\n a \n");
  EXPECT_EQ(trim("--a-b-", "-"), "a-b");
}

TEST(Text, PartsAndWords) {
  EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split("a,", ','), ElementsAre("a", ""));
  EXPECT_THAT(split("a", ','), ElementsAre("a"));
  EXPECT_THAT(split("", ','), IsEmpty());
  EXPECT_THAT(words_of(" a \t b "), ElementsAre("a", "b"));
  EXPECT_THAT(words_of("/a//b/", "/"), ElementsAre("a", "b"));
  EXPECT_THAT(words_of("   "), IsEmpty());
}

TEST(Text, TakesFromTheFront) {
  std::string_view rest = "  one two\nthree";
  EXPECT_EQ(take_word(rest), "one");
  EXPECT_EQ(take_line(rest), " two");
  EXPECT_EQ(take_line(rest), "three");
  EXPECT_EQ(take_line(rest), "");
  EXPECT_EQ(take_word(rest), "");
  rest = "=b";
  EXPECT_EQ(take_part(rest, '='), "");
  EXPECT_EQ(rest, "b");
}

TEST(Text, Names) {
  EXPECT_EQ(base_name("/usr/bin/env"), "env");
  EXPECT_EQ(base_name("env"), "env");
  EXPECT_EQ(base_name("a/"), "");
  EXPECT_EQ(lower("AbC-\xc3\x84"), "abc-\xc3\x84");
}

TEST(Text, WholeNumbers) {
  EXPECT_EQ(to_number<int>("-12"), -12);
  EXPECT_EQ(to_number<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(to_number<int>("ff", 16), 255);
  for (const char* wrong : {"", " 1", "1 ", "+1", "0x1", "1.0", "2147483648", "-"}) {
    EXPECT_EQ(to_number<int>(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(to_number<std::uint8_t>("-1"), std::nullopt);
  std::string_view rest = "12:34";
  EXPECT_EQ(take_number<int>(rest), 12);
  EXPECT_EQ(rest, ":34");
  EXPECT_EQ(take_number<int>(rest), std::nullopt);
  EXPECT_EQ(rest, ":34");
}

TEST(Text, NumbersWithUnits) {
  constexpr NumberUnit kUnits[] = {{"", 1}, {"k", 1000}, {"Ki", 1024}, {"Gi", 1U << 30U}};
  EXPECT_EQ(number_with_unit("7", kUnits), 7U);
  EXPECT_EQ(number_with_unit("1.5k", kUnits), 1500U);
  EXPECT_EQ(number_with_unit("1.125Ki", kUnits), 1152U);
  EXPECT_EQ(number_with_unit("8589934591Gi", kUnits), 8589934591U * (1ULL << 30U));
  for (const char* wrong : {"", "k", "1.5", "1.1234k", "1 k", "1K", "-1", "1.k5", "8589934592Gi",
                            "18446744073709551616"}) {
    EXPECT_EQ(number_with_unit(wrong, kUnits), std::nullopt) << wrong;
  }
  EXPECT_EQ(number_with_unit("1.k", kUnits), 1000U);
}

TEST(Text, Utf8) {
  const auto encoded = [](std::uint32_t point) {
    std::string out;
    append_utf8(out, point);
    return out;
  };
  EXPECT_EQ(encoded('a'), "a");
  EXPECT_EQ(encoded(0xE9), "\xc3\xa9");
  EXPECT_EQ(encoded(0x20AC), "\xe2\x82\xac");
  EXPECT_EQ(encoded(0x1F433), "\xf0\x9f\x90\xb3");
  EXPECT_EQ(encoded(0x10FFFF), "\xf4\x8f\xbf\xbf");
  EXPECT_EQ(encoded(0x110000), "\xef\xbf\xbd");
}

TEST(Text, HexDigits) {
  EXPECT_EQ(hex_value('0'), 0);
  EXPECT_EQ(hex_value('f'), 15);
  EXPECT_EQ(hex_value('A'), 10);
  EXPECT_EQ(hex_value('g'), -1);
  EXPECT_EQ(hex_value('/'), -1);
}

}  // namespace
}  // namespace langsbx
