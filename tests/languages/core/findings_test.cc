// The collector: policy filter, order, duplicates, caps, positions.
#include <gtest/gtest.h>

#include "languages/environment.h"
#include "languages/language.h"
#include "languages/policy.h"

namespace langsbx::languages {
namespace {

constexpr Rule kSpawn = {"test-spawn",
                         FindingType::kSystemCall,
                         Capability::kProcessSpawn,
                         Severity::kError,
                         "starts a program: {}",
                         "",
                         ""};
constexpr Rule kSyntax = {"test-syntax",
                          FindingType::kSyntax,
                          Capability::kNone,
                          Severity::kError,
                          "not understood",
                          "",
                          ""};

TEST(Findings, MoreReferencesThanAreFollowedAreAFinding) {
  const Source source{"a.py", "one"};
  const Policy policy;
  Findings findings(source, policy);
  for (int i = 0; i < 1000; ++i) findings.reference({{"x" + std::to_string(i)}});
  EXPECT_EQ(findings.take_violations().size(), 0U);
  findings.reference({{"evil"}, 0, true});
  EXPECT_EQ(findings.take_violations()[0].rule, "source-too-many-references");
}

TEST(Findings, AreSortedWithLinesAndColumns) {
  const Source source{"a.py", "one\ntwo three\nfour"};
  Policy policy;
  policy.profile = "strict";
  Findings findings(source, policy);
  findings.add(kSpawn, 14, 4, "four");
  findings.add(kSpawn, 8, 5, "three");
  findings.add(kSpawn, 8, 5, "three");
  const auto violations = findings.take_violations();
  ASSERT_EQ(violations.size(), 2U);
  EXPECT_EQ(violations[0].line, 2U);
  EXPECT_EQ(violations[0].column, 5U);
  EXPECT_EQ(violations[0].code, "three");
  EXPECT_EQ(violations[0].reason,
            "starts a program: three (profile 'strict' does not allow process.spawn)");
  EXPECT_EQ(violations[1].line, 3U);
  EXPECT_EQ(violations[1].column, 1U);
  EXPECT_EQ(violations[1].file, "a.py");
}

TEST(Findings, ThatDifferInAnythingAreAllTold) {
  const Source source{"a.py", "one two"};
  const Policy policy;
  const auto told = [&](bool backwards) {
    Findings findings(source, policy);
    const Capability needs[] = {Capability::kFilesRead, Capability::kFilesWrite,
                                Capability::kNetworkConnect};
    for (int i = 0; i < 3; ++i) {
      const Capability need = needs[backwards ? 2 - i : i];
      findings.add(kSpawn, need, 4, backwards ? 3 : 1, "two");
      findings.add(kSpawn, need, 4, backwards ? 1 : 3, "two");
      findings.add(kSpawn, need, 4, 3, "two");
    }
    std::string text;
    for (const Finding& finding : findings.take_violations()) {
      text += std::string(to_string(finding.capability)) + " " + finding.code + "\n";
    }
    return text;
  };
  EXPECT_EQ(told(false),
            "files.read t\nfiles.read two\nfiles.write t\nfiles.write two\n"
            "network.connect t\nnetwork.connect two\n");
  EXPECT_EQ(told(true), told(false));
}

TEST(Findings, OfOnePlaceComeByRuleAndTextAndOnce) {
  const Source source{"a.py", "one\ntwo"};
  const Policy policy;
  Findings findings(source, policy);
  findings.add(kSyntax, 4, 1, "a detail that is not shown");
  findings.add(kSpawn, 4, 1, "b");
  findings.add(kSpawn, 0, 1, "c");
  findings.add(kSyntax, 4, 1, "another");
  findings.add(kSpawn, 4, 1, "a");
  findings.add(kSpawn, 4, 1, "b");
  findings.add_message(kSpawn, Severity::kError, Capability::kNone, 4, 1, "a");
  std::string seen;
  for (const Finding& finding : findings.take_violations()) {
    seen += std::to_string(finding.line) + finding.reason.substr(0, 19) + ";";
  }
  EXPECT_EQ(seen,
            "1starts a program: c;2a;2starts a program: a;2starts a program: b;2not understood;");
}

TEST(Findings, LongTextsAreCutAtACharacter) {
  const Source source{"a.py", "x"};
  const Policy policy;
  Findings findings(source, policy);
  findings.add(kSpawn, 0, 1, std::string(119, 'y') + "\xC3\xBC" + "z");
  const auto violations = findings.take_violations();
  EXPECT_NE(violations[0].reason.find(std::string(119, 'y') + "... ("), std::string::npos);
}

TEST(Environment, NamesOfSecrets) {
  for (const char* name : {"API_KEY", "apikey", "GH_TOKEN", "MYSQL_PWD_X", "Auth", "DATABASE_URL",
                           "AUTHORIZATION", "XDG_SESSION_KEY", "dsn"}) {
    EXPECT_TRUE(names_secret(name)) << name;
  }
  for (const char* name : {"PATH", "PWD", "KEYMAP", "KEYBOARD_LAYOUT", "AUTHOR", "GIT_AUTHOR_NAME",
                           "XDG_SESSION_TYPE", "K", "", "DATE", "TO"}) {
    EXPECT_FALSE(names_secret(name)) << name;
  }
}

TEST(Findings, AllowedCapabilitiesAreDroppedButNoneNeverIs) {
  const Source source{"a.py", "text"};
  Policy policy;
  policy.allowed.set();
  Findings findings(source, policy);
  findings.add(kSpawn, 0, 4, "text");
  findings.add(kSyntax, 0, 4, "");
  const auto violations = findings.take_violations();
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].rule, "test-syntax");
  EXPECT_EQ(violations[0].reason, "not understood");
}

TEST(Findings, AreCapped) {
  const std::string text(1000, 'x');
  const Source source{"a.py", text};
  Policy policy;
  policy.max_findings = 3;
  Findings findings(source, policy);
  for (std::size_t i = 0; i < text.size(); ++i) findings.add(kSpawn, i, 1, "x");
  EXPECT_TRUE(findings.full());
  EXPECT_EQ(findings.take_violations().size(), 3U);
}

TEST(Findings, OffsetsPastTheEndAreClamped) {
  const Source source{"a.py", "ab\n"};
  const Policy policy;
  Findings findings(source, policy);
  findings.add(kSpawn, 99, 99, "x");
  const auto violations = findings.take_violations();
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].line, 2U);
  EXPECT_EQ(violations[0].code, "");
}

TEST(Source, PositionsAndLines) {
  const std::string_view text = "ab\r\n\ncd";
  EXPECT_EQ(position_of(text, 0).column, 1U);
  EXPECT_EQ(position_of(text, 5).line, 3U);
  EXPECT_EQ(position_of(text, 6).column, 2U);
  EXPECT_EQ(position_of(text, 600).column, 3U);
  EXPECT_EQ(line_at(text, 1), "ab");
  EXPECT_EQ(line_at(text, 4), "");
  EXPECT_EQ(line_at(text, 600), "cd");
}

TEST(Capability, NamesRoundTrip) {
  for (std::size_t i = 1; i < static_cast<std::size_t>(Capability::kCount); ++i) {
    const auto capability = static_cast<Capability>(i);
    EXPECT_EQ(capability_from(to_string(capability)), capability);
  }
  EXPECT_FALSE(capability_from("none"));
  EXPECT_FALSE(capability_from("files"));
}

}  // namespace
}  // namespace langsbx::languages
