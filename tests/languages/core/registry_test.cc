// Languages are found by name, alias, interpreter, extension and "#!" line.
#include "languages/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace langsbx::languages {
namespace {

TEST(Registry, EveryLanguageIsFoundByWhatItDeclares) {
  for (const Language* language : all_languages()) {
    SCOPED_TRACE(language->name);
    EXPECT_EQ(find_language(language->name), language);
    for (const auto alias : language->aliases) EXPECT_EQ(find_language(alias), language);
    for (const auto extension : language->extensions) {
      EXPECT_EQ(language_of_file("dir/file" + std::string(extension), ""), language);
    }
    for (const auto interpreter : language->interpreters) {
      EXPECT_EQ(language_of_interpreter("/usr/bin/" + std::string(interpreter)), language);
      EXPECT_EQ(language_of_file("x", "#!/usr/bin/env -S " + std::string(interpreter) + " -x\n"),
                language);
      EXPECT_EQ(language_of_file("x", "#! /bin/" + std::string(interpreter)), language);
    }
    EXPECT_NE(language->judge, nullptr);
  }
}

TEST(Registry, RuleIdsAreUniqueAndExplained) {
  std::set<std::string_view> seen;
  for (const Language* language : all_languages()) {
    std::set<const Rule*> own;
    for (const Rule* rule : language->rules) {
      SCOPED_TRACE(rule->id.view());
      EXPECT_TRUE(own.insert(rule).second);
      seen.insert(rule->id);
      EXPECT_FALSE(rule->summary.empty());
      EXPECT_GT(rule->why.size(), 20U);
    }
  }
}

TEST(Registry, UnknownIsUnknown) {
  EXPECT_EQ(find_language("cobol"), nullptr);
  EXPECT_EQ(language_of_interpreter("/sbin/init"), nullptr);
  EXPECT_EQ(language_of_interpreter(""), nullptr);
  EXPECT_EQ(language_of_interpreter("3.11"), nullptr);
  EXPECT_EQ(language_of_file("Makefile", "all:\n"), nullptr);
  EXPECT_EQ(language_of_file("x", "#!"), nullptr);
  EXPECT_EQ(language_of_file("x", "#!/usr/bin/env"), nullptr);
}

}  // namespace
}  // namespace langsbx::languages
