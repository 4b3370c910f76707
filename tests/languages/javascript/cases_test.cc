// Data-driven: known ways around a JavaScript or TypeScript checker are refused, ordinary code
// passes.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "languages/closure.h"
#include "languages/javascript/javascript.h"
#include "languages/profile.h"

namespace langsbx::languages::javascript {
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
  return judge_closure(language, {"case.js", source}, policy, reader).report;
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

TEST(JavaScriptCases, EveryEvasionIsRefused) {
  expect_refused(kLanguage, "javascript_evasion.jsonl", 120);
}

TEST(JavaScriptCases, OrdinaryProgramsPass) { expect_passed(kLanguage, "javascript_clean.jsonl"); }

TEST(TypeScriptCases, EveryEvasionIsRefused) {
  expect_refused(kTypeScript, "typescript_evasion.jsonl", 30);
}

TEST(TypeScriptCases, OrdinaryProgramsPass) {
  expect_passed(kTypeScript, "typescript_clean.jsonl");
}

TEST(JavaScriptCases, MinimalAllowsNoFiles) {
  const nlohmann::json item = {{"source", "require('fs').readFileSync('in.txt')"}};
  EXPECT_TRUE(judged(kLanguage, item, "default").safe());
  EXPECT_FALSE(judged(kLanguage, item, "minimal").safe());
}

TEST(JavaScriptCases, LocalFilesAreReferred) {
  Policy policy;
  const Source source{"main.js",
                      "import './a.js'; const b = require('../b'); export * from './c';"};
  Findings findings(source, policy);
  kLanguage.judge(source, policy, findings);
  ASSERT_EQ(findings.references().size(), 3U);
  EXPECT_EQ(findings.references()[0].candidates.front(), "./a.js");
  EXPECT_EQ(findings.references()[1].candidates[1], "../b.js");
  EXPECT_TRUE(findings.references()[2].required);
}

// Linear in the size whatever is repeated: a quadratic step would take minutes here.
TEST(JavaScriptCases, HostileRepetitionEnds) {
  Policy policy;
  policy.max_bytes = 64U << 20U;
  for (const char* piece :
       {"process;", "f(process){process}", "a['x'+", "let process=1;", "k+='a';", "x[k](",
        "import{a}from'fs';", "const{a}=fs;", "Object.getPrototypeOf(a);", "`${",
        "var fs=require('fs').promises;fs[a](b);", "{process:", "(process=>"}) {
    std::string text;
    while (text.size() < (1U << 18U)) text += piece;
    const Source source{"main.js", text};
    Findings findings(source, policy);
    kTypeScript.judge(source, policy, findings);
    SUCCEED() << piece;
  }
}

}  // namespace
}  // namespace langsbx::languages::javascript
