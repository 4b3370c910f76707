// The short start leaves a program as the C library's own does: both are run, and compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Ended {
  std::string out;
  int status = 0;
};

Ended run(const char* program, std::vector<std::string> environment) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  ::posix_spawn_file_actions_addclose(&actions, ends[0]);
  ::posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::string words[] = {"probe", "one", "two words", ""};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  std::vector<char*> variables;
  for (auto& each : environment) variables.push_back(each.data());
  variables.push_back(nullptr);
  pid_t pid = 0;
  EXPECT_EQ(::posix_spawn(&pid, program, &actions, nullptr, argv, variables.data()), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  Ended ended;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    ended.out.append(buffer, static_cast<std::size_t>(count));
  ::close(ends[0]);
  ::waitpid(pid, &ended.status, 0);
  return ended;
}

class ShortStart : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(SHORT_PROBE).empty())
      GTEST_SKIP() << "this C library's start is not known";
  }
};

std::string behind_first_line(const std::string& text) { return text.substr(text.find('\n') + 1); }

TEST_F(ShortStart, LeavesTheProgramAsTheLibrarysOwn) {
  const auto shortly = run(SHORT_PROBE, {"PROBE=set", "EMPTY="});
  const auto usual = run(USUAL_PROBE, {"PROBE=set", "EMPTY="});
  EXPECT_THAT(shortly.out, StartsWith("processor not asked\n"));
  EXPECT_THAT(usual.out, StartsWith("processor asked\n"));
  EXPECT_EQ(behind_first_line(shortly.out), behind_first_line(usual.out));
  EXPECT_EQ(WEXITSTATUS(shortly.status), 42);
  EXPECT_EQ(shortly.status, usual.status);
}

TEST_F(ShortStart, WhatIsThere) {
  const auto out = run(SHORT_PROBE, {"PROBE=set"}).out;
  for (const char* line :
       {"argument two words\n", "variable PROBE=set\n", "name probe, set\n", "made first;second;\n",
        "stack guard random\n", "pointer guard random\n",
        "relocated relocated r--p, stack rw-p, secure 0\n", "memory right\n",
        "thread: own 7, errno here 0, stack rw-p\n", "own of the thread long, 4996 zeros\n",
        "exception thrown\n", "end of second\nend of first\ndestructor\n"})
    EXPECT_THAT(out, HasSubstr(line));
}

TEST_F(ShortStart, WithoutAnEnvironment) {
  EXPECT_THAT(run(SHORT_PROBE, {"PROBE="}).out, StartsWith("processor not asked\n"));
}

TEST_F(ShortStart, TunablesAreTheLibrarysMatter) {
  const auto tuned = run(SHORT_PROBE, {"A=b", "GLIBC_TUNABLES=glibc.malloc.check=0", "PROBE=set"});
  EXPECT_THAT(tuned.out, StartsWith("processor asked\n"));
  EXPECT_THAT(tuned.out, HasSubstr("memory right\n"));
  EXPECT_EQ(WEXITSTATUS(tuned.status), 42);
  EXPECT_THAT(run(SHORT_PROBE, {"GLIBC_TUNABLESX=1", "PROBE=set"}).out,
              StartsWith("processor not asked\n"));
}

// Whoever gains privileges by executing the program must not choose its environment.
TEST_F(ShortStart, PrivilegeGainedIsTheLibrarysMatter) {
  if (::geteuid() != 0) GTEST_SKIP() << "a program of another owner needs root";
  const std::string copy = ::testing::TempDir() + "short_start_probe." + std::to_string(::getpid());
  std::filesystem::copy_file(SHORT_PROBE, copy);
  ASSERT_EQ(::chown(copy.c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(copy.c_str(), 04755), 0);
  const auto secure = run(copy.c_str(), {"LD_LIBRARY_PATH=/a", "PROBE=set"});
  std::filesystem::remove(copy);
  if (secure.out.find("secure 1\n") == std::string::npos)
    GTEST_SKIP() << "files here give no privileges";
  EXPECT_THAT(secure.out, StartsWith("processor asked\n"));
  EXPECT_THAT(secure.out, Not(HasSubstr("LD_LIBRARY_PATH")));
}

}  // namespace
}  // namespace langsbx
