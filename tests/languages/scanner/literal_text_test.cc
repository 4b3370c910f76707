// Literals decoded as the compilers do.
#include "languages/scanner/literal_text.h"

#include <gtest/gtest.h>

#include "languages/scanner/scanner.h"

namespace langsbx::languages::scanner {
namespace {

std::string decoded(std::string_view source, const Dialect& dialect) {
  const Scan result = scan(source, dialect);
  return literal_text(result, result.at(0), dialect).value_or("<nothing>");
}

TEST(LiteralText, Escapes) {
  EXPECT_EQ(decoded("\"os\\x2fexec\"", kGo), "os/exec");
  EXPECT_EQ(decoded("\"os\\057exec\"", kGo), "os/exec");
  EXPECT_EQ(decoded("\"\\u002f\\U0000002f\"", kGo), "//");
  EXPECT_EQ(decoded("`os\r/exec`", kGo), "os/exec");
  EXPECT_EQ(decoded("\"a\\q\"", kGo), "<nothing>");
  EXPECT_EQ(decoded("u8\"/etc\\\n/x\"", kC), "/etc/x");
  EXPECT_EQ(decoded("\"\\x2fetc\"", kC),
            "\xFE"
            "tc");  // C takes every hexadecimal digit
  EXPECT_EQ(decoded("R\"x(a\\n)x\"", kCpp), "a\\n");
  EXPECT_EQ(decoded("\"\\u{2f}a\\\n   b\"", kRust), "/ab");
  EXPECT_EQ(decoded("r##\"a\"#b\"##", kRust), "a\"#b");
  EXPECT_EQ(decoded("'\\x2f\\u{2f}\\u002f\\q'", kJavaScript), "///q");
  EXPECT_EQ(decoded("`a\\x62${c}`", kJavaScript), "ab");
  EXPECT_EQ(decoded("\"\\u0041\\s\"", kJava), "A ");
  EXPECT_EQ(decoded("\"\\u{110000}\"", kRust), "<nothing>");
  EXPECT_EQ(decoded("name", kC), "<nothing>");
}

}  // namespace
}  // namespace langsbx::languages::scanner
