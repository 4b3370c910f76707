// What Java's judge refers to, and hostile input; evasions and ordinary code: ../cases.
#include <gtest/gtest.h>

#include <string>

#include "languages/judge.h"
#include "languages/profile.h"

namespace langsbx::languages::java {

extern const Language kLanguage;

namespace {

std::string judged(const std::string& source, const char* profile_name) {
  const auto profile = load_profile(kLanguage, profile_name);
  if (!profile.ok()) return profile.error().message;
  const auto judgement = judge(kLanguage, {"Main.java", source}, make_policy(*profile));
  return judgement.report.safe() ? "" : judgement.report.violations[0].reason;
}

TEST(JavaCases, MinimalAllowsNoFiles) {
  const std::string source = "class A { Object o = new java.io.FileReader(\"a\"); }";
  EXPECT_EQ(judged(source, "default"), "");
  EXPECT_NE(judged(source, "minimal"), "");
}

TEST(JavaCases, ClassesOfTheProgramAreReferred) {
  Policy policy;
  const Source source{"src/test/java/a/b/Main.java",
                      "package a.b; import a.b.c.Helper; class Main extends Base {}"};
  Findings findings(source, policy);
  kLanguage.judge(source, policy, findings);
  ASSERT_EQ(findings.references().size(), 3U);
  EXPECT_EQ(findings.references()[0].candidates[0], "../../a/b/c/Helper.java");
  EXPECT_EQ(findings.references()[0].candidates[1], "../../../../main/java/a/b/c/Helper.java");
  EXPECT_TRUE(findings.references()[0].required);
  EXPECT_EQ(findings.references()[1].package, "../../");
  EXPECT_EQ(findings.references()[2].candidates[0], "Base.java");
}

// Linear in the size whatever is repeated: a quadratic step would take minutes here.
TEST(JavaCases, HostileRepetitionEnds) {
  Policy policy;
  policy.max_bytes = 64U << 20U;
  for (const char* piece :
       {"Runtime r=Runtime.getRuntime();", "class A{", "class Runtime{}Runtime r;", "java.lang.",
        "import a.B;", "import java.io.*;", "String s=s+s;", "new File(s+", "java.@A(",
        "A.forName(", "native "}) {
    std::string text;
    while (text.size() < (1U << 18U)) text += piece;
    const Source source{"Main.java", text};
    Findings findings(source, policy);
    kLanguage.judge(source, policy, findings);
    SUCCEED() << piece;
  }
}

// Each made of sixty of the last: sixty to the sixth steps, were they all followed.
TEST(JavaCases, ConstantsOfConstantsEnd) {
  std::string source = "class A { static final String S0 = \"\";\n";
  for (int level = 1; level <= 6; ++level) {
    const std::string last = "S" + std::to_string(level - 1);
    source += "static final String S" + std::to_string(level) + " = " + last;
    for (int i = 1; i < 60; ++i) source += " + " + last;
    source += ";\n";
  }
  source += "void f() { new java.io.File(S6).delete(); } }";
  EXPECT_EQ(judged(source, "default"), "nested too deep or too large");
}

}  // namespace
}  // namespace langsbx::languages::java
