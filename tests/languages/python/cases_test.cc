// Data-driven: every known way around a Python checker is refused, ordinary programs pass.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"
#include "tests/support/case_lines.h"

namespace langsbx::languages {
namespace {

std::vector<nlohmann::json> cases_of(const std::string& name) {
  std::ifstream file(std::string(LANGSBX_SOURCE_DIR) + "/tests/languages/data/" + name);
  std::vector<nlohmann::json> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(nlohmann::json::parse(line));
  return cases;
}

std::string from_base64(const std::string& text) {
  static const std::string kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    const std::size_t value = kLetters.find(c);
    if (value == std::string::npos) continue;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += static_cast<char>((bits >> static_cast<unsigned>(have)) & 0xFFU);
    }
  }
  return out;
}

Report judged(const std::string& source, const std::string& profile_name = "default") {
  const Language* python = find_language("python");
  auto profile = load_profile(*python, profile_name);
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  const Policy policy = make_policy(*profile);
  return judge_closure(*python, {"case.py", source}, policy, FileReader()).report;
}

TEST(PythonCases, EveryEvasionIsRefused) {
  const auto cases = cases_of("python_evasion.jsonl");
  EXPECT_GT(cases.size(), 100U);
  for (const auto& item : cases) {
    const std::string source = item.contains("source_base64")
                                   ? from_base64(item["source_base64"].get<std::string>())
                                   : item["source"].get<std::string>();
    for (const char* profile : {"default", "minimal", "strict", "data-science"}) {
      EXPECT_FALSE(judged(source, profile).safe())
          << profile << " " << item["id"] << " " << item["title"] << "\n"
          << source;
    }
  }
}

TEST(PythonCases, OrdinaryProgramsPass) {
  const auto cases = cases_of("python_clean.jsonl");
  EXPECT_GT(cases.size(), 25U);
  for (const auto& item : cases) {
    for (const char* profile : {"default", "data-science"}) {
      const Report report = judged(item["source"].get<std::string>(), profile);
      EXPECT_TRUE(report.safe()) << profile << " " << item["id"] << "\n" << item["source"];
      for (const Finding& finding : report.violations) {
        ADD_FAILURE() << finding.line << ":" << finding.column << " " << finding.rule << " "
                      << finding.reason;
      }
    }
  }
}

TEST(PythonCases, EveryTechniqueIsRefused) {
  const auto cases = test::case_lines("python/cases/refused.txt");
  EXPECT_GT(cases.size(), 900U);
  for (const std::string& source : cases) EXPECT_FALSE(judged(source).safe()) << source;
}

TEST(PythonCases, LookAlikesPass) {
  const auto cases = test::case_lines("python/cases/passes.txt");
  EXPECT_GT(cases.size(), 100U);
  for (const std::string& source : cases) {
    for (const Finding& finding : judged(source).violations) {
      ADD_FAILURE() << source << finding.rule << " " << finding.reason;
    }
  }
}

TEST(PythonCases, WhatAFileHandsOnCannotHideAModule) {
  const Policy policy = make_policy(*load_profile(*find_language("python"), "default"));
  for (const std::string helper :
       {"import os as o\n", "import os\no = os\n", "o = open\n", "import sys as o\n"}) {
    const FileReader reader = [&](const std::string& path) -> std::optional<std::string> {
      return path == "helper.py" ? std::optional(helper) : std::nullopt;
    };
    const Source entry{"main.py", "from helper import o\nprint(o)\n"};
    EXPECT_FALSE(judge_closure(*find_language("python"), entry, policy, reader).report.safe())
        << helper;
  }
}

TEST(PythonCases, LocalFilesComeInTheOrderOfTheImportSystem) {
  const Policy policy = make_policy(*load_profile(*find_language("python"), "default"));
  for (const std::string hidden : {"helper/__init__.py", "helper.so", "helper.abi3.so"}) {
    const FileReader reader = [&](const std::string& path) -> std::optional<std::string> {
      if (path == "helper.py") return "x = 1\n";
      return path == hidden ? std::optional<std::string>("eval('1')\n") : std::nullopt;
    };
    EXPECT_FALSE(
        judge_closure(*find_language("python"), {"main.py", "import helper\n"}, policy, reader)
            .report.safe())
        << hidden;
  }
}

TEST(PythonCases, LocalModulesAreJudgedWithTheProgram) {
  const Language* python = find_language("python");
  const Policy policy = make_policy(*load_profile(*python, "default"));
  const FileReader reader = [](const std::string& path) -> std::optional<std::string> {
    if (path == "app/helper.py") return "import deeper.inner\n";
    if (path == "app/deeper/__init__.py") return "";
    if (path == "app/deeper/inner.py") return "import os\nos.system('id')\n";
    if (path == "app/random.py") return "eval('1')\n";
    return std::nullopt;
  };
  const auto found =
      judge_closure(*python, {"app/main.py", "import helper, random\n"}, policy, reader);
  ASSERT_EQ(found.report.violations.size(), 2U);
  EXPECT_EQ(found.report.violations[0].file, "app/random.py");
  EXPECT_EQ(found.report.violations[1].file, "app/deeper/inner.py");
  EXPECT_EQ(found.files.size(), 4U);
  const auto limited =
      judge_closure(*python, {"app/main.py", "import helper\n"}, policy, reader, {.max_files = 1});
  ASSERT_FALSE(limited.report.violations.empty());
  EXPECT_EQ(limited.report.violations[0].rule, "closure-too-large");
  EXPECT_EQ(limited.files.size(), 1U);
}

TEST(PythonCases, AllFindingsInOnePassSorted) {
  const Report report = judged("import socket\neval('1')\nopen('/etc/passwd')\nx.gi_frame\nexec\n");
  ASSERT_EQ(report.violations.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(report.violations[i].line, i + 1);
}

TEST(PythonCases, PatternsOfAProfileApply) {
  Policy policy = make_policy(*load_profile(*find_language("python"), "default"));
  policy.patterns = {{"T?DO*now", Pattern::Where::kComment, "no todo", Severity::kWarning},
                     {"secret", Pattern::Where::kString, "", Severity::kError}};
  const auto judgement =
      judge(*find_language("python"), {"a.py", "secret = 'x'  # TODO do it now\ny = 'my secret'\n"},
            policy);
  ASSERT_EQ(judgement.report.warnings.size(), 1U);
  EXPECT_EQ(judgement.report.warnings[0].reason, "no todo");
  ASSERT_EQ(judgement.report.violations.size(), 1U);
  EXPECT_EQ(judgement.report.violations[0].line, 2U);
}

}  // namespace
}  // namespace langsbx::languages
