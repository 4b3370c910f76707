// Which files a program of `exec` needs, and what its layer then allows.
#include "runtime/guard/program_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/kernel/file.h"

namespace langsbx::guard {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

bool view_host(const std::string& path, const std::function<void(std::string_view)>& show) {
  const auto bytes = read_file(path);
  if (bytes.ok()) show(*bytes);
  return bytes.ok();
}

TEST(ProgramFiles, OfADynamicProgramAreItsLoaderAndItsLibraries) {
  const auto files = files_of({"/bin/ls"}, view_host);
  ASSERT_EQ(files.executed.size(), 2U);  // itself and its loader
  EXPECT_EQ(files.executed[0], "/bin/ls");
  EXPECT_THAT(files.read, Contains(testing::EndsWith("/libc.so.6")));
}

TEST(ProgramFiles, WhatIsNoElfFileNeedsNothingElse) {
  const auto files = files_of({"/etc/passwd", "/nothing"}, view_host);
  EXPECT_THAT(files.executed, ElementsAre("/etc/passwd", "/nothing"));
  EXPECT_THAT(files.read, IsEmpty());
}

// Each beginning of a program, and each with one byte changed: no read outside of the bytes.
TEST(ProgramFiles, ABrokenFileIsSurvived) {
  const auto whole = read_file("/bin/ls");
  ASSERT_TRUE(whole.ok());
  for (std::size_t size = 0; size < 4096; size += 7) {
    std::string bytes = whole->substr(0, size);
    const auto view = [&](const std::string&, const auto& show) {
      show(bytes);
      return true;
    };
    EXPECT_THAT(files_of({"/broken"}, view).executed, Contains("/broken"));
    bytes = *whole;
    bytes[size] = static_cast<char>(bytes[size] ^ 0xff);
    const auto alone = [&](const std::string& path, const auto& show) {
      if (path == "/broken") show(bytes);
      return path == "/broken";
    };
    EXPECT_THAT(files_of({"/broken"}, alone).executed, Contains("/broken"));
  }
}

confine::LandlockPlan plan_of(const char* name) {
  confine::LandlockPlan plan;
  confine::LandlockLayer layer;
  layer.name = name;
  layer.handled_fs = confine::known_rights(confine::LandlockKind::kFs, 3);
  layer.paths.push_back({"/usr", confine::fs::kExecute | confine::fs::kRead, false});
  plan.layers.push_back(layer);
  return plan;
}

TEST(ProgramFiles, OnlyTheProgramsLayerIsFitted) {
  const ProgramFiles files{{"/bin/cat"}, {"/lib/libc.so.6"}};
  auto container = plan_of("container");
  const auto before = container.layers;
  allow_program(files, Besides::kNothing, container);
  EXPECT_EQ(container.layers, before);
  auto program = plan_of("program");
  allow_program(files, Besides::kNothing, program);
  const auto& paths = program.layers[0].paths;
  ASSERT_EQ(paths.size(), 3U);
  EXPECT_EQ(paths[0].access, confine::fs::kRead);  // executes nothing else
  EXPECT_EQ(paths[1].access, confine::fs::kExecute | confine::fs::kReadFile);
  EXPECT_EQ(paths[2].access, confine::fs::kReadFile);
  auto besides = plan_of("program");
  allow_program(files, Besides::kTheRest, besides);
  EXPECT_EQ(besides.layers[0].paths[0].access, confine::fs::kExecute | confine::fs::kRead);
}

}  // namespace
}  // namespace langsbx::guard
