// Languages are found by name, alias, interpreter, extension and "#!" line.
#include "languages/registry.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "languages/report.h"

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
  for (const Rule* rule : all_rules()) {
    SCOPED_TRACE(rule->id);
    EXPECT_TRUE(seen.insert(rule->id).second);
    EXPECT_FALSE(rule->message.empty());
    EXPECT_GT(rule->why.size(), 20U);
    EXPECT_EQ(find_rule(rule->id), rule);
  }
  for (const char* id : {"source-nul", "closure-missing", "closure-too-large", "generic-pattern",
                         "closure-foreign-module", "closure-foreign-file", "object-ifunc",
                         "python-process", "bash-source", "c-pragma", "go-cgo", "rust-unsafe",
                         "java-reflection", "javascript-prototype"}) {
    EXPECT_TRUE(seen.contains(id)) << id;
  }
  EXPECT_EQ(find_rule("no-such-rule"), nullptr);
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
