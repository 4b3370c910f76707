// Which files Landlock's program layer lets be executed.
#include "runtime/guard/programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "languages/profile.h"
#include "languages/registry.h"
#include "runtime/kernel/file.h"

namespace langsbx::guard {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

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

bool view_host(const std::string& path, const std::function<void(std::string_view)>& show) {
  const auto bytes = read_file(path);
  if (bytes.ok()) show(*bytes);
  return bytes.ok();
}

TEST(Programs, OfADynamicProgramAreItsLoaderAndItsLibraries) {
  const auto files = files_of({"/bin/ls"}, "/", Needs::kLibraries, view_host);
  ASSERT_EQ(files.executed.size(), 2U);  // itself and its loader
  EXPECT_EQ(files.executed[0], "/bin/ls");
  EXPECT_THAT(files.read, Contains(testing::EndsWith("/libc.so.6")));
}

TEST(Programs, WhereAProfileSaysWhatIsReadTheLoaderIsEnough) {
  const auto files = files_of({"ls", "/bin/ls"}, "/bin", Needs::kLoader, view_host);
  ASSERT_EQ(files.executed.size(), 2U);
  EXPECT_EQ(files.executed[0], "/bin/ls");
  EXPECT_THAT(files.read, IsEmpty());
  EXPECT_FALSE(files.alone);
}

// A program may name any file as its loader.
TEST(Programs, ALoaderIsAnElfFile) {
  auto program = read_file("/bin/ls");
  ASSERT_TRUE(program.ok());
  const auto view = [&](const std::string& path, const auto& show) {
    show(path == "/bin/ls" ? std::string_view(*program) : std::string_view("#!/bin/sh\n"));
    return true;
  };
  EXPECT_THAT(files_of({"/bin/ls"}, "/", Needs::kLoader, view).executed, ElementsAre("/bin/ls"));
}

TEST(Programs, WhatIsNoElfFileNeedsNothingElse) {
  const auto files = files_of({"/etc/passwd", "/nothing"}, "/", Needs::kLibraries, view_host);
  EXPECT_THAT(files.executed, ElementsAre("/etc/passwd", "/nothing"));
  EXPECT_THAT(files.read, IsEmpty());
}

// Each beginning of a program, and each with one byte changed: no read outside of the bytes.
TEST(Programs, ABrokenFileIsSurvived) {
  const auto whole = read_file("/bin/ls");
  ASSERT_TRUE(whole.ok());
  for (std::size_t size = 0; size < 4096; size += 7) {
    std::string bytes = whole->substr(0, size);
    const auto view = [&](const std::string&, const auto& show) {
      show(bytes);
      return true;
    };
    EXPECT_THAT(files_of({"/broken"}, "/", Needs::kLibraries, view).executed, Contains("/broken"));
    bytes = *whole;
    bytes[size] = static_cast<char>(bytes[size] ^ 0xff);
    const auto alone = [&](const std::string& path, const auto& show) {
      if (path == "/broken") show(bytes);
      return path == "/broken";
    };
    EXPECT_THAT(files_of({"/broken"}, "/", Needs::kLibraries, alone).executed, Contains("/broken"));
  }
}

TEST(Programs, PathsAreAbsoluteAndNamedOnce) {
  const FileViewer script = [](const std::string&, const auto& show) {
    show("#!/bin/sh\n");
    return true;
  };
  EXPECT_EQ(files_of({"/v/run.sh", "bin/x", "/v/run.sh"}, "/work", Needs::kLoader, script).executed,
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
