// Text with caret, JSON and SARIF, also for hostile file names and lines.
#include "languages/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "languages/generic.h"
#include "languages/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

using ::testing::HasSubstr;

Report sample(std::string file) {
  Report report;
  report.language = "python";
  report.profile = "default";
  report.violations.push_back({"python-process", FindingType::kSystemCall, Severity::kError,
                               Capability::kProcessSpawn, std::move(file), 2, 4, "system",
                               "starts a program"});
  return report;
}

TEST(Report, TextShowsTheLineAndACaret) {
  const std::string source = "import os\nos.system('id')\n";
  EXPECT_EQ(to_text(sample("a.py"), [&](std::string_view) { return std::string_view(source); }),
            "a.py:2:4: error: starts a program [python-process]\n"
            " 2 | os.system('id')\n"
            "   |    ^~~~~~\n"
            "   help: Do the work in the program itself.\n");
  EXPECT_EQ(to_text(sample("a.py")),
            "a.py:2:4: error: starts a program [python-process]\n"
            "   help: Do the work in the program itself.\n");
}

TEST(Report, SaysOnceARuleWhatToDoInstead) {
  const Language& python = *find_language("python");
  const Policy policy = make_policy(*load_profile(python, "default"));
  const std::string_view bytes = "import os\nos.system('a')\nos.system('b')\n";
  const Report report = judge(python, {"a.py", bytes}, policy).report;
  ASSERT_EQ(report.violations.size(), 2U);
  const std::string_view hint = find_rule(report.violations[0].rule)->instead;
  ASSERT_FALSE(hint.empty());
  const std::string line = "\n   help: " + std::string(hint) + "\n";
  for (const std::string& text :
       {to_text(report), to_text(report, [&](std::string_view) { return bytes; })}) {
    const auto first = text.find(line);
    ASSERT_NE(first, std::string::npos) << text;
    EXPECT_EQ(text.find(line, first + 1), std::string::npos) << text;
  }
  const auto json = nlohmann::json::parse(to_json(report));
  for (const auto& finding : json["violations"]) EXPECT_EQ(finding["hint"], hint);
  const auto log = nlohmann::json::parse(to_sarif(std::span(&report, 1), "1.2.3"));
  for (const auto& result : log["runs"][0]["results"]) {
    EXPECT_EQ(result["properties"]["hint"], hint);
  }
}

TEST(Report, TextShowsTheRightLineWhateverTheOrder) {
  const std::string one = "a\nb\nc\n";
  const std::string two = "d\ne\nf";
  Report report = sample("1.py");
  const auto add = [&](std::string file, std::uint32_t line) {
    report.violations.push_back(sample(std::move(file)).violations[0]);
    report.violations.back().line = line;
    report.violations.back().column = 1;
  };
  report.violations.clear();
  for (const std::uint32_t line : {1U, 3U, 2U}) add("1.py", line);
  for (const std::uint32_t line : {2U, 3U, 9U}) add("2.py", line);
  add("1.py", 2);
  report.warnings.push_back(report.violations[0]);
  std::string shown;
  const std::string text = to_text(
      report, [&](std::string_view file) { return std::string_view(file == "1.py" ? one : two); });
  for (std::size_t at = 0; (at = text.find(" | ", at)) != std::string::npos; at += 3) {
    if (text[at - 1] != ' ') shown += text[at + 3];
  }
  EXPECT_EQ(shown, "acbeffba");
}

TEST(Report, TextNeverSteersATerminal) {
  const std::string source =
      "\n\x1b[2J\xE2\x80\xAE\x07"
      "abc\xC2\x9B\xFF\r\n";
  const std::string text =
      to_text(sample("a\x1b[31m\n.py"), [&](std::string_view) { return std::string_view(source); });
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    EXPECT_LT(static_cast<unsigned char>(c), 0x80);
  }
  EXPECT_THAT(text, HasSubstr("a\\x1b[31m\\x0a.py:2:4"));
}

TEST(Report, LongLinesAreCutAroundTheFinding) {
  const std::string source = "\n" + std::string(5000, 'x') + "\n";
  Report report = sample("a.py");
  report.violations[0].column = 4000;
  const std::string text =
      to_text(report, [&](std::string_view) { return std::string_view(source); });
  EXPECT_LT(text.size(), 600U);
}

TEST(Report, LongLinesThatStartInsideACharacterAreCutToo) {
  // Found by fuzzing: the cut moved past the finding itself.
  const std::string source = "\n" + std::string(300, '\xAC') + "\n";
  for (const std::uint32_t column : {1U, 2U, 61U, 62U, 300U, 301U, 900U}) {
    Report report = sample("a.py");
    report.violations[0].column = column;
    const std::string text =
        to_text(report, [&](std::string_view) { return std::string_view(source); });
    EXPECT_THAT(text, HasSubstr("^")) << column;
  }
}

TEST(Report, JsonHasEveryField) {
  const auto json = nlohmann::json::parse(to_json(sample("a\xFF.py")));
  EXPECT_EQ(json["safe"], false);
  EXPECT_EQ(json["language"], "python");
  const auto& finding = json["violations"][0];
  for (const char* key :
       {"rule", "type", "file", "line", "column", "code", "reason", "severity", "capability"}) {
    EXPECT_TRUE(finding.contains(key)) << key;
  }
  EXPECT_EQ(finding["type"], "system_call");
  EXPECT_EQ(finding["capability"], "process.spawn");
  EXPECT_TRUE(json["warnings"].empty());
}

TEST(Report, SarifNamesRuleAndPlace) {
  const Report reports[] = {sample("dir/a b.py"), sample("c.py")};
  const auto log = nlohmann::json::parse(to_sarif(reports, "1.2.3"));
  EXPECT_EQ(log["version"], "2.1.0");
  const auto& run = log["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  ASSERT_EQ(run["tool"]["driver"]["rules"].size(), 1U);
  ASSERT_EQ(run["results"].size(), 2U);
  const auto& place = run["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "dir/a%20b.py");
  EXPECT_EQ(place["region"]["startLine"], 2);
}

// Every field that the 2.1.0 schema requires of what is written, and columns in code points.
TEST(Report, SarifIsWhatItsSchemaAsks) {
  const std::string bytes = "x = '\xC3\xBC\xF0\x9F\x98\x80'; f = `id`\n";
  const Language& generic = generic_language();
  const Policy open = make_policy(*load_profile(generic, "patterns"));
  const Report reports[] = {judge(generic, {"ü.rb", bytes}, open).report};
  ASSERT_FALSE(reports[0].safe());
  EXPECT_EQ(reports[0].violations[0].column, 19U);  // bytes
  const auto log = nlohmann::json::parse(
      to_sarif(reports, "1.2.3", [&](std::string_view) { return std::string_view(bytes); }));
  const auto blind = nlohmann::json::parse(to_sarif(reports, "1.2.3"));
  const auto& seen = blind["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_TRUE(seen.contains("startLine") && !seen.contains("startColumn"));
  EXPECT_EQ(log["version"], "2.1.0");
  ASSERT_TRUE(log["runs"].is_array());
  const auto& run = log["runs"][0];
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
  const auto& driver = run["tool"]["driver"];
  EXPECT_TRUE(driver["name"].is_string());
  for (const auto& rule : driver["rules"]) {
    EXPECT_TRUE(rule["id"].is_string());
    EXPECT_TRUE(rule["shortDescription"]["text"].is_string());
    EXPECT_TRUE(rule["fullDescription"]["text"].is_string());
    EXPECT_EQ(rule["shortDescription"]["text"].get<std::string>().find("{}"), std::string::npos);
  }
  const auto& first = run["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(first["startColumn"], 15);
  for (const auto& result : run["results"]) {
    EXPECT_TRUE(result["message"]["text"].is_string());
    EXPECT_EQ(driver["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
    EXPECT_TRUE(result["level"] == "error" || result["level"] == "warning");
    const auto& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "%C3%BC.rb");
    EXPECT_GT(place["region"]["endColumn"], place["region"]["startColumn"]);
  }
}

TEST(Generic, IsRefusedUnlessPatternsAreEnough) {
  const Language& generic = generic_language();
  const Source harmless{"a.rb", "puts 1 + 1\n"};
  const Policy closed = make_policy(*load_profile(generic, "default"));
  const auto refused = judge(generic, harmless, closed);
  ASSERT_EQ(refused.report.violations.size(), 1U);
  EXPECT_EQ(refused.report.violations[0].rule, "language-unknown");
  const Policy open = make_policy(*load_profile(generic, "patterns"));
  EXPECT_TRUE(judge(generic, harmless, open).report.safe());
  EXPECT_FALSE(judge(generic, {"a.rb", "puts `id`\n"}, open).report.safe());
  EXPECT_FALSE(judge(generic, {"a.rb", std::string_view("a\0b", 3)}, open).report.safe());
}

}  // namespace
}  // namespace langsbx::languages
