// Go, Rust and Java tokens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/languages/scanner/shown.h"

namespace langsbx::languages::scanner {
namespace {

using ::testing::HasSubstr;

TEST(GoScanner, Tokens) {
  EXPECT_EQ(shown("import x `os/exec`; a := <-c; 'x' \"a\\x2f\" 0x1p-2 1i ...", kGo),
            "id:import id:x raw:`os/exec` ; id:a := <- id:c ; chr:'x' str:\"a\\x2f\" num:0x1p-2 "
            "num:1i ...");
  EXPECT_THAT(first_fault("a # b", kGo), HasSubstr("no use"));
  EXPECT_THAT(first_fault("`abc", kGo), HasSubstr("does not end"));
  EXPECT_THAT(first_fault("func f() { (}", kGo), HasSubstr("partner"));
  const Scan result = scan("x\n//go:embed y\nvar z", kGo);
  ASSERT_EQ(result.comments.size(), 1U);
  EXPECT_EQ(result.text(result.comments[0]), "//go:embed y");
}

TEST(RustScanner, Tokens) {
  EXPECT_EQ(shown("fn f<'a>(x: &'a str) -> char { 'b' }", kRust),
            "id:fn id:f < life:'a > ( id:x : & life:'a id:str ) -> id:char { chr:'b' }");
  EXPECT_EQ(shown("r#\"a\"b\"# br##\"\"#\"## r#std::x b'\\'' b\"q\" '\\u{41}'", kRust),
            "raw:r#\"a\"b\"# raw:br##\"\"#\"## id:r#std :: id:x chr:b'\\'' str:b\"q\" "
            "chr:'\\u{41}'");
  EXPECT_EQ(shown("/* a /* b */ c */ 0..10 1.max(2) t.0.1 1.5f64 1e3", kRust),
            "num:0 .. num:10 num:1 . id:max ( num:2 ) id:t . num:0.1 num:1.5f64 num:1e3");
  EXPECT_EQ(shown("'outer: loop { break 'outer }", kRust),
            "life:'outer : id:loop { id:break life:'outer }");
  // No literal of Rust: the name is not lost.
  EXPECT_EQ(shown("ab'c' r'x'", kRust), "id:ab chr:'c' id:r chr:'x'");
  EXPECT_THAT(first_fault("cr#\"x\"#", kRust), HasSubstr("depends"));
  EXPECT_THAT(first_fault("/* /* */", kRust), HasSubstr("does not end"));
  EXPECT_THAT(first_fault("'a\xE2\x80\x8Estd", kRust), HasSubstr("blank"));
  EXPECT_EQ(first_fault("#![allow(x)]\nfn main() {}", kRust), "");
}

TEST(JavaScanner, Tokens) {
  EXPECT_EQ(shown("String s = \"\"\"\n  a\"b\n  \"\"\"; 'x' 1.5f 0x1.8p3 a::b", kJava),
            "id:String id:s = block:\"\"\"\n  a\"b\n  \"\"\" ; chr:'x' num:1.5f num:0x1.8p3 id:a "
            ":: id:b");
  EXPECT_EQ(shown("\"\" + \"a\"", kJava), "str:\"\" + str:\"a\"");
}

TEST(JavaScanner, UnicodeEscapesStayWhereTheyAre) {
  EXPECT_EQ(first_fault("String s = \"\\u00e9\\u0041 \\\\u0022\"; // \\u00e9 C:\\\\u002a", kJava),
            "");
  EXPECT_EQ(first_fault("char zero = '\\u0000'; String t = \"\\u0009\";", kJava), "");
  for (const char* source : {"\"\\u000a\"", "\"a\\u0022 + x\"", "\"\\u005c\"", "// \\u000a system",
                             "/* \\u002a/ x */", "/* *\\uu002f x */", "'\\u0027'"}) {
    EXPECT_THAT(first_fault(source, kJava), HasSubstr("changes")) << source;
  }
  EXPECT_THAT(first_fault("\\u0053ystem.exit()", kJava), HasSubstr("escape"));
}

}  // namespace
}  // namespace langsbx::languages::scanner
