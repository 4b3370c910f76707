// Where a program's files are put: code where the program can't change it.
#include "runtime/execute/placing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace langsbx::execute {
namespace {

class PlacingTest : public testing::Test {
 protected:
  PlacedProgram placed(std::string_view language, std::vector<ProgramFile> others,
                       std::vector<Input> inputs = {}) {
    auto result = place(language, std::move(others), std::move(inputs));
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
    return result.ok() ? result.release_value() : PlacedProgram();
  }

  Result<PlacedProgram> place(std::string_view language, std::vector<ProgramFile> others,
                              std::vector<Input> inputs = {}) {
    program_ = {};
    program_.entry = "main";
    program_.others = std::move(others);
    PlacingInputs wanted;
    wanted.toolchain = *find_toolchain(language);
    wanted.program = &program_;
    wanted.entry = "entry";
    wanted.inputs = std::move(inputs);
    wanted.can_fix = can_fix_;
    return place_interpreted(wanted);
  }

  static const Placed* at(const PlacedProgram& program, std::string_view path) {
    const auto found = std::ranges::find(program.files, path, &Placed::path);
    return found == program.files.end() ? nullptr : &*found;
  }

  // Whether the program can change what stands under that name.
  static bool is_open(const PlacedProgram& program, std::string_view path) {
    const auto* const file = at(program, path);
    return file != nullptr && file->path.starts_with("/work/") && !file->fixed;
  }

  JudgedProgram program_;
  bool can_fix_ = true;
};

TEST_F(PlacingTest, AFileThatIsReadWholeStartsFromItsCopy) {
  for (const char* language : {"python", "javascript"}) {
    const auto program = placed(language, {});
    EXPECT_EQ(program.started, "/work/main") << language;
    EXPECT_FALSE(program.several);
    EXPECT_TRUE(is_open(program, "/work/main"));
  }
}

TEST_F(PlacingTest, SeveralRunFromTheFolderOfSources) {
  for (const char* language : {"python", "javascript"}) {
    const auto program = placed(language, {{"lib/a", "a"}}, {{"data/in.txt", "in"}});
    EXPECT_EQ(program.started, "/source/main") << language;
    ASSERT_NE(at(program, "/source/lib/a"), nullptr);
    EXPECT_EQ(at(program, "/source/lib/a")->content, "a");
    EXPECT_TRUE(is_open(program, "/work/lib/a"));
    EXPECT_TRUE(is_open(program, "/work/lib"));
    EXPECT_TRUE(is_open(program, "/work/data/in.txt"));
    // Python calls its files by their names in the work directory; it needs no link.
    const auto* const link = at(program, "/source/data/in.txt");
    ASSERT_EQ(link != nullptr, std::string_view(language) == "javascript");
    if (link == nullptr) continue;
    EXPECT_EQ(link->kind, Placed::Kind::kLink);
  }
}

// Code that nobody judged is not to be had under a name beside code that was.
TEST_F(PlacingTest, NoInputThatMayBeCodeIsLinked) {
  const std::vector<Input> inputs = {{"a.py", ""},         {"b.so", ""},  {"c.js", ""},
                                     {"package.json", ""}, {"d.pyc", ""}, {"e.node", ""}};
  const auto program = placed("javascript", {{"lib.js", ""}}, inputs);
  for (const auto& input : inputs)
    EXPECT_EQ(at(program, "/source/" + input.name), nullptr) << input.name;
}

TEST_F(PlacingTest, FilesThatAreReadWhileTheyRunAreFixedWithTheirFolders) {
  for (const char* language : {"bash", "r"}) {
    const auto program = placed(language, {{"lib/deep/a", "a"}}, {{"lib/in.txt", "in"}});
    EXPECT_EQ(program.started, "/work/main");
    for (const char* path : {"/work/main", "/work/lib", "/work/lib/deep", "/work/lib/deep/a"}) {
      ASSERT_NE(at(program, path), nullptr) << path;
      EXPECT_FALSE(is_open(program, path)) << path;
    }
    EXPECT_TRUE(is_open(program, "/work/lib/in.txt"));
  }
}

TEST_F(PlacingTest, WhatCannotBeFixedIsRefused) {
  can_fix_ = false;
  EXPECT_EQ(placed("bash", {}).started, "/source/main");
  EXPECT_FALSE(place("bash", {{"lib", ""}}).ok());
}

TEST_F(PlacingTest, AnInputUnderAJudgedNameHasItsBytes) {
  EXPECT_TRUE(place("python", {{"a.py", "a"}}, {{"a.py", "a"}}).ok());
  for (const char* name : {"a.py", "main"}) {
    const auto result = place("python", {{"a.py", "a"}}, {{name, "other"}});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().to_string(),
              "--input " + std::string(name) + ": the program has a file of this name");
  }
}

TEST_F(PlacingTest, AFileIsNoFolder) {
  EXPECT_FALSE(place("python", {}, {{"a", ""}, {"a/b", ""}}).ok());
  EXPECT_FALSE(place("python", {}, {{"a/b", ""}, {"a", ""}}).ok());
  EXPECT_FALSE(place("python", {}, {{"main/b", ""}}).ok());
}

}  // namespace
}  // namespace langsbx::execute
