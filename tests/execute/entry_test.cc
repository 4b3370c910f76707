// Which file of a folder starts the program.
#include "runtime/execute/entry.h"

#include <gtest/gtest.h>

#include "languages/registry.h"
#include "runtime/execute/host_files.h"

namespace langsbx::execute {
namespace {

std::string entry_of(const std::vector<Input>& files, std::string_view language = {}) {
  auto found =
      find_entry(files, language.empty() ? nullptr : languages::find_language(language), "app");
  return found.ok() ? found.release_value() : found.error().to_string();
}

TEST(Entry, WhatPeopleExpect) {
  EXPECT_EQ(entry_of({{"__main__.py", ""}, {"main.py", ""}}), "__main__.py");
  EXPECT_EQ(entry_of({{"main.py", ""}, {"index.js", ""}}), "main.py");
  EXPECT_EQ(entry_of({{"src/main.rs", ""}, {"src/lib.rs", ""}}), "src/main.rs");
  EXPECT_EQ(entry_of({{"src/main/java/Main.java", ""}, {"src/main/java/A.java", ""}}),
            "src/main/java/Main.java");
  EXPECT_EQ(entry_of({{"tool.py", ""}, {"README.md", ""}, {"in.csv", ""}}), "tool.py");
}

TEST(Entry, WhatPackageJsonNames) {
  const std::vector<Input> files = {
      {"package.json", R"({"main": "./lib/start"})"}, {"lib/start.js", ""}, {"main.js", ""}};
  EXPECT_EQ(entry_of(files), "lib/start.js");
  EXPECT_EQ(entry_of({{"package.json", R"({"main": "none"})"}, {"index.js", ""}}), "index.js");
}

TEST(Entry, TheOnlyMainFunction) {
  EXPECT_EQ(entry_of({{"a.c", "int main (void) {}"}, {"b.c", "int domain(void);"}, {"b.h", ""}}),
            "a.c");
  EXPECT_EQ(entry_of({{"a.py", ""}, {"b.py", "if __name__ == '__main__':\n"}}), "b.py");
  EXPECT_EQ(entry_of({{"a.go", "func main() {}"}, {"b.go", "func mainly() {}"}}), "a.go");
}

TEST(Entry, WhereThereIsAChoiceTheCandidatesAreTold) {
  EXPECT_EQ(entry_of({{"a.py", ""}, {"b.py", ""}}),
            "app: which file starts the program? name it with --entry: a.py, b.py");
  EXPECT_EQ(entry_of({{"main.py", ""}, {"main.sh", ""}}),
            "app: which file starts the program? name it with --entry: main.py, main.sh");
  EXPECT_EQ(entry_of({{"main.py", ""}, {"main.sh", ""}}, "bash"), "main.sh");
  EXPECT_EQ(entry_of({{"in.csv", ""}}), "app: holds no source of a language that langsbx can run");
}

TEST(HostFiles, NamesBelowTheWorkDirectory) {
  for (const char* name : {"a", "a/b", "a b/c\nd", ".a", "..."})
    EXPECT_TRUE(is_plain_name(name)) << name;
  for (const char* name : {"", "/a", "a/", "a//b", "..", "a/../b", "./a", "a/."}) {
    EXPECT_FALSE(is_plain_name(name)) << name;
  }
  EXPECT_FALSE(is_plain_name(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace langsbx::execute
