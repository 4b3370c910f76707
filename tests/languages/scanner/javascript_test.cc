// JavaScript and TypeScript: templates, regular expression or division, what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/languages/scanner/shown.h"

namespace langsbx::languages::scanner {
namespace {

using ::testing::HasSubstr;

TEST(JavaScriptScanner, Templates) {
  EXPECT_EQ(shown("`a${b + `c${d}`}e` f", kJavaScript),
            "tmpl:`a${ id:b + tmpl:`c${ id:d tmpl:}` tmpl:}e` id:f");
  EXPECT_EQ(shown("`a${ {b: {}} }c`", kJavaScript), "tmpl:`a${ { id:b : { } } tmpl:}c`");
  EXPECT_EQ(shown("`\\${a\\`` b", kJavaScript), "tmpl:`\\${a\\`` id:b");
}

TEST(JavaScriptScanner, RegexOrDivision) {
  EXPECT_EQ(shown("a / b / c", kJavaScript), "id:a / id:b / id:c");
  EXPECT_EQ(shown("a = /b[/]\\/'/gi.test(x)", kJavaScript),
            "id:a = re:/b[/]\\/'/gi . id:test ( id:x )");
  EXPECT_EQ(shown("if (a) /b'/.test(c)", kJavaScript), "id:if ( id:a ) re:/b'/ . id:test ( id:c )");
  EXPECT_EQ(shown("(a) / b / c", kJavaScript), "( id:a ) / id:b / id:c");
  EXPECT_EQ(shown("x.if(a) / b / c", kJavaScript), "id:x . id:if ( id:a ) / id:b / id:c");
  EXPECT_EQ(shown("return /a/", kJavaScript), "id:return re:/a/");
  EXPECT_EQ(shown("x.return / a / b", kJavaScript), "id:x . id:return / id:a / id:b");
  EXPECT_EQ(shown("a++ / b / c", kJavaScript), "id:a ++ / id:b / id:c");
  EXPECT_EQ(shown("a[0] / 2", kJavaScript), "id:a [ num:0 ] / num:2");
  EXPECT_EQ(shown("if (a) { b } /c/.d", kJavaScript), "id:if ( id:a ) { id:b } re:/c/ . id:d");
  EXPECT_EQ(shown("x = ({}) / 2", kJavaScript), "id:x = ( { } ) / num:2");
  EXPECT_EQ(shown("x = {} / 2", kJavaScript), "id:x = { } / num:2");
  EXPECT_EQ(shown("`a` / b / `c${d}` / e", kJavaScript),
            "tmpl:`a` / id:b / tmpl:`c${ id:d tmpl:}` / id:e");
  EXPECT_EQ(shown("x! / 2", kTypeScript), "id:x ! / num:2");
}

TEST(JavaScriptScanner, AmbiguousSlashesAreRefused) {
  for (const char* source :
       {"function f() {} /a/", "a: {} /a/", "yield /a/", "class A {} /a/", "return\n{} /a/"}) {
    EXPECT_THAT(first_fault(source, kJavaScript), HasSubstr("may be a division")) << source;
  }
}

TEST(JavaScriptScanner, Numbers) {
  EXPECT_EQ(shown("1..toString() 1.5e3.x 0x1f.y 10n 1_000 .5 017.z", kJavaScript),
            "num:1. . id:toString ( ) num:1.5e3 . id:x num:0x1f . id:y num:10n num:1_000 num:.5 "
            "num:017 . id:z");
  EXPECT_EQ(shown("a?.5:b?.c", kJavaScript), "id:a ? num:.5 : id:b ?. id:c");
}

TEST(JavaScriptScanner, Refusals) {
  EXPECT_THAT(first_fault("a <!-- b", kJavaScript), HasSubstr("HTML"));
  EXPECT_THAT(first_fault("a\n --> b", kJavaScript), HasSubstr("HTML"));
  EXPECT_EQ(first_fault("while (n --> 0) {}", kJavaScript), "");
  EXPECT_THAT(first_fault("\\u0065val", kJavaScript), HasSubstr("escape"));
  EXPECT_THAT(first_fault("ev\\u0061l(x)", kJavaScript), HasSubstr("escape"));
  EXPECT_THAT(first_fault("// a\xE2\x80\xA8"
                          "eval(x)",
                          kJavaScript),
              HasSubstr("blank"));
  EXPECT_THAT(first_fault("require\xC2\xA0(x)", kJavaScript), HasSubstr("blank"));
  EXPECT_THAT(first_fault("(a]", kJavaScript), HasSubstr("partner"));
  EXPECT_THAT(first_fault("(a", kJavaScript), HasSubstr("partner"));
  EXPECT_THAT(first_fault("`a${b", kJavaScript), HasSubstr("partner"));
  EXPECT_THAT(first_fault(std::string(300, '('), kJavaScript), HasSubstr("deep"));
  EXPECT_THAT(first_fault("x = /abc", kJavaScript), HasSubstr("regular"));
  EXPECT_EQ(first_fault("#!/usr/bin/env node\nlet \xC3\xA9 = 'a\\\nb';", kJavaScript), "");
}

TEST(JavaScriptScanner, ErrorsEndWithTheSource) {
  for (const char* source : {"x = /\\", "x = /a\\", "'\\", "`\\", "`${'\\"}) {
    const Scan result = scan(source, kJavaScript);
    ASSERT_GT(result.errors, 0U) << source;
    for (const Token& token : result.tokens) {
      EXPECT_LE(token.offset + token.length, result.bytes.size()) << source;
    }
  }
}

}  // namespace
}  // namespace langsbx::languages::scanner
