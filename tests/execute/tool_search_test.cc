#include "runtime/execute/tool_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "languages/registry.h"
#include "runtime/execute/toolchain.h"

namespace langsbx::execute {
namespace {

ToolFacts facts_with(std::set<std::string, std::less<>> programs,
                     std::optional<Version> node = {}) {
  ToolFacts facts;
  facts.folders = {"/usr/local/bin"};
  facts.has = [programs = std::move(programs)](std::string_view path) {
    return programs.contains(path);
  };
  facts.version = [node](const std::string&) { return node; };
  return facts;
}

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> command_of(const Tool& tool) {
  RunCommand wanted{tool.toolchain,   "/source/main.ts", {},          {},
                    compile_limits(), tool.version,      tool.program};
  return run_command(wanted, {"one"});
}

TEST(ToolSearch, Versions) {
  EXPECT_EQ(parse_version("v20.11.0\n"), (Version{20, 11}));
  EXPECT_EQ(parse_version("deno 2.1"), (Version{2, 1}));
  EXPECT_EQ(parse_version("7"), (Version{7, 0}));
  EXPECT_FALSE(parse_version("none"));
  EXPECT_LT((Version{22, 5}), (Version{22, 6}));
}

TEST(ToolSearch, TypescriptPrefersTheCompiler) {
  const auto tool = choose_tool(
      "typescript", facts_with({"/usr/bin/tsc", "/usr/bin/node", "/usr/bin/deno"}, Version{24, 0}));
  ASSERT_TRUE(tool);
  EXPECT_TRUE(tool->toolchain->compiled);
  EXPECT_EQ(tool->program, "/usr/bin/node");
}

TEST(ToolSearch, NodeAloneTakesTypesOutFrom226) {
  const auto with = [](Version version) {
    return choose_tool("typescript", facts_with({"/usr/bin/node"}, version));
  };
  EXPECT_FALSE(with({18, 20}));
  EXPECT_FALSE(with({22, 5}));
  ASSERT_TRUE(with({22, 6}));
  EXPECT_FALSE(with({22, 6})->toolchain->compiled);
  EXPECT_TRUE(holds(command_of(*with({22, 6})), "--experimental-strip-types"));
  EXPECT_TRUE(holds(command_of(*with({22, 7})), "--experimental-transform-types"));
  EXPECT_TRUE(holds(command_of(*with({23, 6})), "--experimental-transform-types"));
  const auto newest = command_of(*with({25, 0}));
  EXPECT_FALSE(holds(newest, "--experimental-transform-types"));
  EXPECT_TRUE(holds(newest, "--permission"));
  EXPECT_EQ(newest.back(), "one");
}

TEST(ToolSearch, TheVersionOfAnotherRootIsNotKnown) {
  const auto tool = choose_tool("typescript", facts_with({"/usr/local/bin/node"}));
  ASSERT_TRUE(tool);
  EXPECT_EQ(tool->program, "/usr/local/bin/node");
  EXPECT_TRUE(holds(command_of(*tool), "--experimental-strip-types"));
}

TEST(ToolSearch, DenoWhereThereIsNoNode) {
  for (const char* language : {"javascript", "typescript"}) {
    const auto tool = choose_tool(language, facts_with({"/usr/local/bin/deno"}));
    ASSERT_TRUE(tool) << language;
    const auto command = command_of(*tool);
    EXPECT_EQ(command[0], "/usr/local/bin/deno");
    EXPECT_EQ(command[1], "run");
    EXPECT_TRUE(holds(command, "--no-prompt"));
    EXPECT_FALSE(holds(command, "--allow-all"));
    EXPECT_FALSE(holds(command, "--allow-net"));
  }
  const auto old =
      choose_tool("typescript", facts_with({"/usr/bin/node", "/usr/bin/deno"}, Version{18, 20}));
  ASSERT_TRUE(old);
  EXPECT_EQ(old->program, "/usr/bin/deno");
  EXPECT_EQ(
      choose_tool("javascript", facts_with({"/usr/bin/node", "/usr/bin/deno"}, Version{18, 20}))
          ->program,
      "/usr/bin/node");
}

TEST(ToolSearch, NothingIsFoundWhereNothingIs) {
  for (const languages::Language* language : languages::all_languages()) {
    EXPECT_FALSE(choose_tool(language->name, facts_with({}))) << language->name;
  }
  EXPECT_FALSE(choose_tool("typescript", facts_with({"/usr/bin/tsc"})));
}

// R under its own name in the usual folders is a shell script.
TEST(ToolSearch, RIsTheInterpreterItself) {
  EXPECT_FALSE(choose_tool("r", facts_with({"/usr/bin/R", "/usr/local/bin/R"})));
  const auto tool = choose_tool("r", facts_with({"/usr/local/lib/R/bin/exec/R"}));
  ASSERT_TRUE(tool);
  RunCommand wanted{tool->toolchain, "/source/main.R", {}, {}, {}, {}, tool->program};
  const auto environment = run_environment(wanted);
  EXPECT_TRUE(holds(environment, "R_HOME=/usr/local/lib/R"));
  EXPECT_TRUE(holds(environment, "R_SHARE_DIR=/usr/local/lib/R/share"));
  EXPECT_TRUE(holds(environment, "R_PROFILE=/source/.Rprofile.site"));
  EXPECT_EQ(tool->toolchain->startup.name, ".Rprofile.site");
  const auto ours = choose_tool("r", facts_with({"/usr/lib/R/bin/exec/R"}));
  ASSERT_TRUE(ours);
  wanted.program = ours->program;
  EXPECT_TRUE(holds(run_environment(wanted), "R_SHARE_DIR=/usr/share/R/share"));
}

// One file is started from its source; several are compiled first.
TEST(ToolSearch, JavaOfSeveralFilesIsCompiled) {
  const auto facts = facts_with({"/usr/bin/java", "/usr/bin/javac"});
  const auto one = choose_tool("java", facts);
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->toolchain->compiled);
  const auto several = choose_tool("java", facts, true);
  ASSERT_TRUE(several);
  EXPECT_TRUE(several->toolchain->compiled);
  languages::Build build{several->program,
                         "/source/shop/Main.java",
                         {"/source/shop/Main.java"},
                         "/source",
                         "/work",
                         "// x\n/* package y; */ package shop . a;"};
  EXPECT_TRUE(holds(several->toolchain->compile(build).args, "shop.a.Main"));
}

TEST(ToolSearch, GoStartsInTheFolderOfItsModule) {
  const auto tool = choose_tool("go", facts_with({"/usr/bin/go"}));
  ASSERT_TRUE(tool);
  languages::Build build{
      tool->program, "/source/app/main.go", {"/source/app/main.go"}, "/source", "/work", ""};
  EXPECT_EQ(tool->toolchain->compile(build).folder, "");
  EXPECT_TRUE(holds(tool->toolchain->compile(build).args, "/source/app/main.go"));
  build.sources.emplace_back("/source/go.mod");
  EXPECT_EQ(tool->toolchain->compile(build).folder, "/source/app");
  EXPECT_TRUE(holds(tool->toolchain->compile(build).env, "GO111MODULE=on"));
}

TEST(ToolSearch, LimitsOfALanguageAreOne) {
  for (const languages::Language* language : languages::all_languages()) {
    ASSERT_NE(language->launch, nullptr) << language->name;
    const auto first = find_toolchain(language->name);
    ASSERT_TRUE(first.ok());
    for (const Toolchain& toolchain : language->launch->toolchains) {
      EXPECT_EQ((*first)->least_pids, toolchain.least_pids);
      EXPECT_EQ((*first)->least_memory, toolchain.least_memory);
      EXPECT_EQ((*first)->least_files, toolchain.least_files);
      EXPECT_EQ(toolchain.compiled, toolchain.compile != nullptr);
      EXPECT_TRUE(toolchain.is_native() || toolchain.command != nullptr);
    }
  }
}

}  // namespace
}  // namespace langsbx::execute
