// Which files Landlock's program layer lets be executed.
#include "runtime/guard/programs.h"

#include <gtest/gtest.h>

#include <map>

#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::guard {
namespace {

using Paths = std::vector<std::string>;

NamesIn folders(std::map<std::string, std::string> content) {
  return [content = std::move(content)](const std::string& folder) -> std::optional<std::string> {
    const auto found = content.find(folder);
    if (found == content.end()) return std::nullopt;
    return found->second;
  };
}

languages::Policy policy_of(const char* language, const char* profile) {
  return languages::make_policy(
      *languages::load_profile(*languages::find_language(language), profile));
}

TEST(Programs, ListedCommandsAreNamedOneByOne) {
  const auto policy = policy_of("bash", "default");
  const auto found = installed_commands(
      policy, folders({{"/usr/bin/", ".\n..\nls\npython3\nsort\n"}, {"/bin/", "cat\nnc\n"}}));
  EXPECT_EQ(found, (Paths{"/bin/sh", "/usr/bin/ls", "/usr/bin/sort", "/bin/cat"}));
}

TEST(Programs, WhoListsNoCommandsGetsNone) {
  EXPECT_EQ(
      installed_commands(policy_of("python", "default"), folders({{"/usr/bin/", "ls\nsh\n"}})),
      Paths());
}

TEST(Programs, LoadersAreNamedByTheFilesThemselves) {
  const StartOf none = [](const std::string&) { return std::optional<std::string>("#!/bin/sh\n"); };
  EXPECT_EQ(with_loaders({"/v/run.sh", "bin/x", "/v/run.sh"}, "/work", none),
            (Paths{"/v/run.sh", "/work/bin/x"}));
}

TEST(Programs, AnyProgramStartsOnlyWhereTheProfileSaysSo) {
  for (const auto* const language : languages::all_languages()) {
    for (const auto& profile : language->builtin_profiles) {
      const std::string name(profile.name);
      const auto policy = languages::make_policy(*languages::load_profile(*language, profile.name));
      EXPECT_EQ(starts_any_program(policy), name == "build-tool") << language->name << "/" << name;
    }
  }
  languages::Policy shell;
  shell.language = "bash";
  EXPECT_TRUE(starts_any_program(shell));
}

// A folder of programs that can be read is one whose programs the ELF loader runs.
TEST(Programs, NoShippedProfileNamesFoldersOfPrograms) {
  for (const auto* const language : languages::all_languages()) {
    for (const auto& shipped : language->builtin_profiles) {
      const auto profile = *languages::load_profile(*language, shipped.name);
      if (shipped.name == "build-tool") continue;
      EXPECT_TRUE(profile.landlock.execute.empty()) << language->name << "/" << shipped.name;
      EXPECT_FALSE(profile.landlock.read.empty()) << language->name << "/" << shipped.name;
      for (const auto& path : profile.landlock.read) {
        for (const char* folder : {"/", "/usr", "/bin", "/usr/bin", "/usr/local", "/usr/local/bin",
                                   "/sbin", "/usr/sbin", "/etc", "/root", "/opt"}) {
          EXPECT_NE(path, folder) << language->name << "/" << shipped.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace langsbx::guard
