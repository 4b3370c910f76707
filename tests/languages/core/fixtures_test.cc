// Walks languages/*/rules/: beside every rule stands a fixture whose lines say what is expected
// of them. `expect: rule-id` (after the language's comment sign) must be reported on that line;
// every other line must stay clean. `profile: name` in the first line picks a profile other than
// `default`. A file with neither word is no fixture.
#include <dirent.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

struct Fixture {
  const Language* language;
  std::string name;
  std::string bytes;
};

std::vector<Fixture> fixtures_of(const Language& language) {
  const std::string folder =
      std::string(LANGSBX_SOURCE_DIR) + "/languages/" + std::string(language.name) + "/rules";
  std::vector<Fixture> fixtures;
  DIR* directory = opendir(folder.c_str());
  if (directory == nullptr) return fixtures;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    const bool own = std::any_of(
        language.extensions.begin(), language.extensions.end(),
        [&](std::string_view extension) { return name.ends_with(extension) && name[0] != '.'; });
    if (!own) continue;
    std::ifstream file(folder + "/" + name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    // C and C++ headers share the folder with the rules' own .h files.
    if (text.str().find("expect: ") == std::string::npos &&
        text.str().find("profile: ") == std::string::npos) {
      continue;
    }
    fixtures.push_back({&language, name, text.str()});
  }
  closedir(directory);
  return fixtures;
}

// What follows `key` in `line`, up to a blank.
std::string word_after(const std::string& line, const std::string& key, std::size_t from = 0) {
  const std::size_t at = line.find(key, from);
  if (at == std::string::npos) return {};
  const std::size_t start = at + key.size();
  return line.substr(start, line.find_first_of(" \t\r", start) - start);
}

using Lines = std::map<std::size_t, std::set<std::string>>;

Lines expected_of(const std::string& bytes) {
  Lines expected;
  std::istringstream text(bytes);
  std::string line;
  for (std::size_t number = 1; std::getline(text, line); ++number) {
    for (std::size_t at = line.find("expect: "); at != std::string::npos;
         at = line.find("expect: ", at + 1)) {
      expected[number].insert(word_after(line, "expect: ", at));
    }
  }
  return expected;
}

TEST(Fixtures, EveryLineIsJudgedAsItSays) {
  std::size_t count = 0;
  for (const Language* language : all_languages()) {
    for (const Fixture& fixture : fixtures_of(*language)) {
      SCOPED_TRACE(std::string(language->name) + "/rules/" + fixture.name);
      ++count;
      const std::string first = fixture.bytes.substr(0, fixture.bytes.find('\n'));
      const std::string named = word_after(first, "profile: ");
      auto profile = load_profile(*language, named.empty() ? "default" : named);
      ASSERT_TRUE(profile.ok()) << profile.error().message;
      const Policy policy = make_policy(*profile);
      const auto judged =
          judge_closure(*language, {fixture.name, fixture.bytes}, policy, FileReader());
      Lines found;
      std::map<std::string, std::string> reasons;
      for (const auto* list : {&judged.report.violations, &judged.report.warnings}) {
        for (const Finding& finding : *list) {
          found[finding.line].insert(std::string(finding.rule));
          reasons[std::to_string(finding.line) + std::string(finding.rule)] = finding.reason;
        }
      }
      const Lines expected = expected_of(fixture.bytes);
      for (const auto& [line, rules] : expected) {
        for (const std::string& rule : rules) {
          EXPECT_TRUE(found[line].contains(rule)) << "line " << line << ": no " << rule;
        }
      }
      for (const auto& [line, rules] : found) {
        for (const std::string& rule : rules) {
          const auto wanted = expected.find(line);
          EXPECT_TRUE(wanted != expected.end() && wanted->second.contains(rule))
              << "line " << line << ": " << rule << ": " << reasons[std::to_string(line) + rule];
        }
      }
    }
  }
  EXPECT_GT(count, 0U);
}

TEST(Fixtures, EveryRuleHasALineThatExpectsIt) {
  // Languages of one family share rules and fixtures, so all expectations count together.
  std::set<std::string> expected;
  for (const Language* language : all_languages()) {
    for (const Fixture& fixture : fixtures_of(*language)) {
      for (const auto& [line, rules] : expected_of(fixture.bytes)) {
        expected.insert(rules.begin(), rules.end());
      }
    }
  }
  for (const Language* language : all_languages()) {
    for (const Rule& rule : language->rules) {
      EXPECT_TRUE(expected.contains(std::string(rule.id)))
          << language->name << ": no fixture line expects " << rule.id;
    }
  }
}

}  // namespace
}  // namespace langsbx::languages
