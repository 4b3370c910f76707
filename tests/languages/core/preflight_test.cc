// The byte checks: each refusal, what must pass, and the closeness of the word-wise path.
#include "languages/preflight.h"

#include <gtest/gtest.h>

#include <string>

#include "languages/patterns.h"
#include "languages/unicode.h"

namespace langsbx::languages {
namespace {

std::string first_rule(std::string_view bytes, PreflightOptions options = {}) {
  const Source source{"x", bytes};
  const Policy policy;
  Findings findings(source, policy);
  (void)preflight(source, policy, options, findings);
  const auto violations = findings.take_violations();
  return violations.empty() ? "" : std::string(violations[0].rule);
}

TEST(Preflight, RefusesWhatReadersDisagreeOn) {
  using namespace std::string_literals;
  EXPECT_EQ(first_rule("a\0b"s), "source-nul");
  EXPECT_EQ(first_rule("a\rb"), "source-bare-cr");
  EXPECT_EQ(first_rule("a\r"), "source-bare-cr");
  EXPECT_EQ(first_rule("a\r\nb"), "");
  EXPECT_EQ(first_rule("a\rb", {.bare_carriage_return = false}), "");
  EXPECT_EQ(first_rule("\xFF"), "source-invalid-utf8");
  EXPECT_EQ(first_rule("\xC0\xAF"), "source-invalid-utf8");
  EXPECT_EQ(first_rule("\xED\xA0\x80"), "source-invalid-utf8");
  EXPECT_EQ(first_rule("\xF4\x90\x80\x80"), "source-invalid-utf8");
  EXPECT_EQ(first_rule("\xE2\x82"), "source-invalid-utf8");
  EXPECT_EQ(first_rule("\xE2\x80\xAE"), "source-bidi-control");
  EXPECT_EQ(first_rule("\xE2\x81\xA6"), "source-bidi-control");
  EXPECT_EQ(first_rule("\xEF\xBB\xBFx"), "source-byte-order-mark");
  EXPECT_EQ(first_rule("\xEF\xBB\xBFx", {.byte_order_mark = false}), "");
  EXPECT_EQ(first_rule("\xE2\x80\xA8", {.line_separators = true}), "source-line-separator");
  EXPECT_EQ(first_rule("\xE2\x80\xA9", {.line_separators = true}), "source-line-separator");
  EXPECT_EQ(first_rule("\xC3\xA9\xE2\x80\xA7", {.line_separators = true}), "") << "other letters";
  EXPECT_EQ(first_rule("\177ELF..."), "source-binary");
  EXPECT_EQ(first_rule("PK\3\4..."), "source-binary");
  EXPECT_EQ(first_rule("print(1)\nPK\5\6..."), "source-binary");
  EXPECT_EQ(first_rule("\xA7\x0D\r\n...."), "source-binary");
  EXPECT_EQ(first_rule("gr\xC3\xBC\xC3\x9F \xE4\xB8\xAD \xF0\x9F\x98\x80"), "");
}

TEST(Preflight, CodingCookiesAsCPythonReadsThem) {
  const PreflightOptions python{.coding_cookie = true};
  EXPECT_EQ(first_rule("# -*- coding: utf-8 -*-\n", python), "");
  EXPECT_EQ(first_rule("# vim: set fileencoding=UTF_8 :\n", python), "");
  EXPECT_EQ(first_rule("# coding: ascii\n", python), "");
  EXPECT_EQ(first_rule("#coding=utf-7\n", python), "source-coding-cookie");
  EXPECT_EQ(first_rule("#!x\n \f# coding : x\n# coding:utf-7\n", python), "");
  EXPECT_EQ(first_rule("#!x\n \f# coding:\traw_unicode_escape\n", python), "source-coding-cookie");
  EXPECT_EQ(first_rule("x = 'coding: utf-7'\n", python), "");
  EXPECT_EQ(first_rule("# coding coding: latin-1\n", python), "source-coding-cookie");
  EXPECT_EQ(first_rule("# coding: utf-7\n"), "");
}

TEST(Preflight, FindsAByteAtEveryPlace) {
  for (std::size_t length = 1; length < 70; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      std::string text(length, 'a');
      text[at] = '\0';
      EXPECT_EQ(first_rule(text), "source-nul");
      text[at] = '\r';
      EXPECT_EQ(first_rule(text), "source-bare-cr");
      text[at] = '\x80';
      EXPECT_EQ(first_rule(text), "source-invalid-utf8");
      text[at] = '\x7F';
      EXPECT_EQ(first_rule(text), "");
    }
  }
}

TEST(Preflight, LimitsTheSize) {
  const std::string text(200, 'a');
  const Source source{"x", text};
  Policy policy;
  policy.max_bytes = 100;
  Findings findings(source, policy);
  EXPECT_FALSE(preflight(source, policy, {}, findings));
  EXPECT_EQ(findings.take_violations()[0].rule, "source-too-large");
}

TEST(Identifiers, DisguisesAreFound) {
  EXPECT_EQ(identifier_problem("\xEF\xBD\x85val"), IdentifierProblem::kBecomesAscii);
  EXPECT_EQ(identifier_problem("\xF0\x9D\x91\x92xec"), IdentifierProblem::kBecomesAscii);
  EXPECT_EQ(identifier_problem("\xD0\xB5val"), IdentifierProblem::kLooksAscii);
  EXPECT_EQ(identifier_problem("a\xE2\x80\x8B"
                               "b"),
            IdentifierProblem::kInvisible);
  EXPECT_EQ(identifier_problem("\xCE\xB1_sum"), IdentifierProblem::kNone);
  EXPECT_EQ(identifier_problem("\xC3\xA9t\xC3\xA9"), IdentifierProblem::kNone);
  EXPECT_EQ(identifier_problem("\xD0\xBF\xD0\xB5\xD1\x80\xD0\xB5"), IdentifierProblem::kNone);
}

TEST(Patterns, StarsAndQuestionMarks) {
  EXPECT_TRUE(pattern_occurs("b", "abc"));
  EXPECT_TRUE(pattern_occurs("a*c", "xabbcx"));
  EXPECT_TRUE(pattern_occurs("a?c", "abc"));
  EXPECT_FALSE(pattern_occurs("a?c", "ac"));
  EXPECT_FALSE(pattern_occurs("abd", "abc"));
  EXPECT_FALSE(pattern_occurs("*a*a*a*a*b*z", std::string(5000, 'a')));
}

}  // namespace
}  // namespace langsbx::languages
