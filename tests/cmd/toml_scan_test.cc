// Strings of TOML: what they mean, and that writing them keeps it.
#include "cmd/langsbx/clients/toml_scan.h"

#include <gtest/gtest.h>

namespace langsbx::clients {
namespace {

TEST(Toml, StringsAreWrittenAsTheyWereRead) {
  using Strings = std::vector<std::string>;
  const auto again = [](const Strings& strings) { return toml_strings(toml_array(strings)); };
  for (const Strings& strings : {Strings{"a\nb", "c"}, Strings{"\t\r\"\\"}, Strings{""}}) {
    EXPECT_EQ(again(strings), strings) << toml_array(strings);
  }
  EXPECT_EQ(toml_quoted("a\nb\r\"\\"), R"("a\nb\r\"\\")");
  // The line end behind the opening quotes is none of the string's.
  EXPECT_EQ(toml_strings("\"\"\"\na\nb\"\"\""), Strings{"a\nb"});
  EXPECT_EQ(toml_strings("'''\r\na'''"), Strings{"a"});
  for (const char* wrong : {"\"a\x01\"", "'\x7f'", "\"\"\"a\x02\"\"\""}) {
    EXPECT_EQ(toml_strings(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace langsbx::clients
