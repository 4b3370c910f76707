// Data-driven: known ways around a Java checker are refused, ordinary code passes.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "languages/closure.h"
#include "languages/profile.h"

namespace langsbx::languages::java {

extern const Language kLanguage;

namespace {

std::vector<nlohmann::json> cases_of(const std::string& name) {
  std::ifstream file(std::string(LANGSBX_SOURCE_DIR) + "/tests/languages/data/" + name);
  std::vector<nlohmann::json> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(nlohmann::json::parse(line));
  return cases;
}

Report judged(const Language& language, const nlohmann::json& item, const char* profile_name) {
  auto profile = load_profile(language, profile_name);
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  const Policy policy = make_policy(*profile);
  const std::string source = item["source"].get<std::string>();
  const FileReader reader = [&item](const std::string& path) -> std::optional<std::string> {
    if (!item.contains("extra_files") || !item["extra_files"].contains(path)) return std::nullopt;
    return item["extra_files"][path].get<std::string>();
  };
  return judge_closure(language, {"Main.java", source}, policy, reader).report;
}

void expect_refused(const Language& language, const char* data, std::size_t least) {
  const auto cases = cases_of(data);
  EXPECT_GE(cases.size(), least);
  for (const auto& item : cases) {
    for (const char* profile : {"default", "minimal", "strict"}) {
      EXPECT_FALSE(judged(language, item, profile).safe()) << profile << " " << item["id"] << "\n"
                                                           << item["source"];
    }
  }
}

void expect_passed(const Language& language, const char* data) {
  const auto cases = cases_of(data);
  EXPECT_FALSE(cases.empty());
  for (const auto& item : cases) {
    for (const Finding& finding : judged(language, item, "default").violations) {
      ADD_FAILURE() << item["id"] << ":" << finding.line << ":" << finding.column << " "
                    << finding.rule << " " << finding.reason;
    }
  }
}

TEST(JavaCases, EveryEvasionIsRefused) { expect_refused(kLanguage, "java_evasion.jsonl", 90); }

TEST(JavaCases, OrdinaryProgramsPass) { expect_passed(kLanguage, "java_clean.jsonl"); }

TEST(JavaCases, MinimalAllowsNoFiles) {
  const nlohmann::json item = {{"source", "class A { Object o = new java.io.FileReader(\"a\"); }"}};
  EXPECT_TRUE(judged(kLanguage, item, "default").safe());
  EXPECT_FALSE(judged(kLanguage, item, "minimal").safe());
}

TEST(JavaCases, ClassesOfTheProgramAreReferred) {
  Policy policy;
  const Source source{"src/test/java/a/b/Main.java",
                      "package a.b; import a.b.c.Helper; class Main extends Base {}"};
  Findings findings(source, policy);
  kLanguage.judge(source, policy, findings);
  ASSERT_EQ(findings.references().size(), 2U);
  EXPECT_EQ(findings.references()[0].candidates[0], "../../a/b/c/Helper.java");
  EXPECT_EQ(findings.references()[0].candidates[1], "../../../../main/java/a/b/c/Helper.java");
  EXPECT_TRUE(findings.references()[0].required);
  EXPECT_EQ(findings.references()[1].candidates[0], "Base.java");
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

}  // namespace
}  // namespace langsbx::languages::java
