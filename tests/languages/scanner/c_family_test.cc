// C and C++ tokens: splices, digraphs, trigraphs, raw strings, directives, header names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/languages/scanner/shown.h"

namespace langsbx::languages::scanner {
namespace {

using ::testing::HasSubstr;

TEST(CScanner, TokensOfEveryKind) {
  EXPECT_EQ(shown("int a1 = 0x1p+3 + 1.5e-3; // c\nL\"x\\\"y\" u8\"z\" 'a' /* b */ a->b a::b", kC),
            "id:int id:a1 = num:0x1p+3 + num:1.5e-3 ; str:L\"x\\\"y\" str:u8\"z\" chr:'a' id:a -> "
            "id:b id:a :: id:b");
  EXPECT_EQ(shown("#include <a/b.h>\n#include \"c\\\"\nx<y>z", kC),
            "dir:# id:include head:<a/b.h> dir:# id:include str:\"c\\\" id:x < id:y > id:z");
  EXPECT_EQ(shown("#if __has_include(<x.h>) && A < B", kC),
            "dir:# id:if id:__has_include ( head:<x.h> ) && id:A < id:B");
}

TEST(CScanner, DirectivesEndAtTheLineUnlessSpliced) {
  const Scan result = scan("#define A \\\n  b\nc", kC);
  ASSERT_EQ(result.size(), 5U);
  EXPECT_TRUE(result.at(3).has(kInDirective));
  EXPECT_FALSE(result.at(4).has(kInDirective));
  EXPECT_TRUE(result.at(4).has(kNewlineBefore));
  EXPECT_FALSE(result.at(3).has(kNewlineBefore));
}

TEST(CScanner, DigraphsMeanWhatTheyStandFor) {
  EXPECT_EQ(shown("%:include <x>\na<:1:>", kC), "dir:%: id:include head:<x> id:a <: num:1 :>");
  const Scan result = scan("<% a %:%: b %>", kC);
  EXPECT_TRUE(result.at(0).is('{'));
  EXPECT_TRUE(result.at(2).is(kPaste));
  EXPECT_TRUE(result.at(4).is('}'));
  EXPECT_EQ(shown("std::vector<::x>", kCpp), "id:std :: id:vector < :: id:x >");
}

TEST(CScanner, SplicesThatGlueAreRefusedOthersAreBlanks) {
  for (const char* source : {"sys\\\ntem", "a \\ \n x/\\\n/ y", "/* *\\\n/ system */", "L\\\n\"x\"",
                             "#\\\n#", "<\\\n:", "sys\\  \r\ntem"}) {
    if (std::string_view(source).find("x/") == std::string_view::npos) {
      EXPECT_THAT(first_fault(source, kC), HasSubstr("glues")) << source;
    }
  }
  EXPECT_THAT(first_fault("x/\\\n/ y", kC), HasSubstr("glues"));
  EXPECT_EQ(first_fault("#define f(a,\\\nb) {\\\n x; \\\n}", kC), "");
  EXPECT_EQ(shown("\"a\\\nb\" c", kC), "str:\"a\\\nb\" id:c");
}

TEST(CScanner, CommentsContinueOverSplices) {
  EXPECT_EQ(shown("// x \\\nhidden \\  \nhidden\nint", kC), "id:int");
  EXPECT_EQ(shown("// comment \\\nconst char*s=R\"(\nint q", kCpp), "id:int id:q");
}

TEST(CScanner, TrigraphsAreRefusedWhereTheyCount) {
  EXPECT_THAT(first_fault("\"?\?/\"", kC), HasSubstr("trigraph"));
  EXPECT_THAT(first_fault("// x ?\?/\nint", kC), HasSubstr("trigraph"));
  EXPECT_THAT(first_fault("a ?\?( b", kC), HasSubstr("trigraph"));
  EXPECT_EQ(first_fault("// really?\?) yes\nint a; // a?\?!", kC), "");
  EXPECT_EQ(first_fault("a ? b : c; x = \"what??\";", kC), "");
}

TEST(CppScanner, RawStrings) {
  EXPECT_EQ(shown("R\"x()\")x\" a", kCpp), "raw:R\"x()\")x\" id:a");
  EXPECT_EQ(shown("u8R\"(a\nb\\)\" a", kCpp), "raw:u8R\"(a\nb\\)\" id:a");
  EXPECT_EQ(shown("1'000'000 'a'", kCpp), "num:1'000'000 chr:'a'");
  EXPECT_THAT(first_fault("R\"x(", kCpp), HasSubstr("does not end"));
  EXPECT_THAT(first_fault("R\"(x)\"", kC), HasSubstr("depends"));
  EXPECT_THAT(first_fault("1'000", kC), HasSubstr("depends"));
}

TEST(CScanner, WhatIsNotUnderstoodIsAnError) {
  EXPECT_THAT(first_fault("\"abc\nint", kC), HasSubstr("does not end"));
  EXPECT_THAT(first_fault("/* abc", kC), HasSubstr("does not end"));
  EXPECT_THAT(first_fault("a \\u0073ystem", kC), HasSubstr("escape"));
  EXPECT_THAT(first_fault("a\xC2\xA0"
                          "b",
                          kC),
              HasSubstr("blank"));
  EXPECT_THAT(first_fault("a \xFF b", kC), HasSubstr("UTF-8"));
  EXPECT_THAT(first_fault("a @ b", kC), HasSubstr("no use"));
  EXPECT_THAT(first_fault("a\rb", kC), HasSubstr("carriage"));
  EXPECT_EQ(shown("\"abc\nint x", kC), "ERR:\"abc id:int id:x");
}

TEST(CScanner, TokensNeverOverlapAndCoverEverythingButBlanks) {
  const std::string source =
      "a\xC3\xA9 = b[1] /* x */ ; \\\n \"s\" 'c' <% \xE2\x80\x8B %> @ ?\?= 1e+5";
  const Scan result = scan(source, kC);
  std::size_t end = 0;
  for (const Token& token : result.tokens) {
    if (token.kind == TokenKind::kError && token.symbol == static_cast<Symbol>(Fault::kTrigraph)) {
      continue;  // reported over the tokens it stands in
    }
    EXPECT_GE(token.offset, end);
    end = token.offset + token.length;
  }
  EXPECT_LE(end, source.size());
}

}  // namespace
}  // namespace langsbx::languages::scanner
