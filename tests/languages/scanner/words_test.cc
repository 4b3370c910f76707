// Hashes, filters and runs: the fast ways give what the plain ones do, at every length and edge.
#include "languages/scanner/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "languages/scanner/runs.h"
#include "languages/scanner/scanner.h"

namespace langsbx::languages::scanner {
namespace {

TEST(Words, HashIsTheSameWhereverTheNameStands) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz_0123456789ABCDEFGHIJ";
  for (std::size_t length = 1; length <= letters.size(); ++length) {
    const std::string name = letters.substr(0, length);
    const std::uint16_t wanted = name_hash(name);
    EXPECT_EQ(name_hash(name, 0, length), wanted) << name;
    EXPECT_EQ(name_hash("x." + name, 2, 2 + length), wanted) << name;
    EXPECT_EQ(name_hash("xx" + name + ";\nmore text behind it", 2, 2 + length), wanted) << name;
  }
}

TEST(Words, FilterHoldsWhatWasAdded) {
  WordFilter filter;
  EXPECT_FALSE(filter.may_hold(name_hash("system")));
  std::size_t wrong = 0;
  for (int i = 0; i < 300; ++i) filter.add("name" + std::to_string(i));
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(filter.may_hold(name_hash("name" + std::to_string(i))));
    wrong += filter.may_hold(name_hash("other" + std::to_string(i))) ? 1U : 0U;
  }
  EXPECT_LT(wrong, 60U);
}

TEST(Runs, EndWhereALoopByByteEnds) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (const std::size_t before : {0U, 3U, 15U, 16U, 17U, 33U}) {
      std::string name(before, 'a');
      name += static_cast<char>(byte);
      name += "bcdefghijklmnopqrstuvw";
      std::size_t end = 0;
      while (end < name.size() && is_plain_name_byte(name[end], '$')) ++end;
      EXPECT_EQ(end_of_name(name, 0, '$'), end) << byte << " " << before;

      std::string text(before, ' ');
      text += static_cast<char>(byte);
      text += "x                        x";
      end = text.find_first_not_of(" \t");
      EXPECT_EQ(end_of_blanks(text, 0), end) << byte << " " << before;
      const auto stops = [](char c) {
        return c == '\'' || c == '\\' || c == '\n' || c == '\r' ||
               static_cast<unsigned char>(c) >= 0x80;
      };
      end = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), stops) - text.begin());
      EXPECT_EQ(find_in_string(text, 0, '\''), end) << byte << " " << before;
    }
  }
}

// A name that a judge asks for has a mark, wherever it stands.
TEST(Marks, FindWantedNamesInEveryDialect) {
  WordFilter words;
  words.add("wanted");
  const std::string text =
      "a b=wanted ;c.wanted(1) ;f( wanted,\"x\") ;{ wanted } ;wanted\n wanted;/**/wanted";
  for (const Dialect* dialect :
       {&kC, &kCpp, &kJava, &kGo, &kRust, &kJavaScript, &kTypeScript, &kR}) {
    const Scan result = scan(text, *dialect, 200, words);
    std::size_t names = 0;
    std::size_t literals = 0;
    std::uint32_t last = 0;
    for (const std::uint32_t mark : result.marks) {
      EXPECT_TRUE(mark > last || mark == 0 || last == 0) << dialect->name;
      last = mark;
      names += result.is_name(mark, "wanted") ? 1U : 0U;
      literals += result.at(mark).is_literal_text() ? 1U : 0U;
    }
    const bool dots = dialect == &kR;  // "c.wanted" is one name
    EXPECT_EQ(names, dots ? 6U : 7U) << dialect->name;
    EXPECT_EQ(literals, 1U) << dialect->name;
  }
}

TEST(Blocks, AreTheOutermostBrackets) {
  const Scan result = scan("func f(a []int) { if x { g() } }\nvar y = (1)", kGo);
  ASSERT_EQ(result.blocks.size(), 3U);
  EXPECT_EQ(result.text(result.blocks[0].first), "(");
  EXPECT_EQ(result.text(result.blocks[1].first), "{");
  EXPECT_EQ(result.text(result.blocks[1].second), "}");
  EXPECT_EQ(result.text(result.blocks[1].second + 1), "var");
}

}  // namespace
}  // namespace langsbx::languages::scanner
