// Programs that are run and waited for: what is done in their process before they execute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "runtime/kernel/process.h"

namespace langsbx {
namespace {

Command shell(const std::string& script) {
  Command command;
  command.path = "/bin/sh";
  command.args = {"sh", "-c", script};
  return command;
}

TEST(BeforeExec, ActsInTheNewProcessOnly) {
  Command command = shell("ulimit -n");
  command.before_exec = []() -> Result<void> {
    const rlimit few{77, 77};
    return ::setrlimit(RLIMIT_NOFILE, &few) == 0 ? Result<void>() : system_error("setrlimit");
  };
  const auto result = run_command(command);
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  EXPECT_EQ(result->status, 0);
  EXPECT_EQ(result->output, "77\n");
  rlimit own{};
  ::getrlimit(RLIMIT_NOFILE, &own);
  EXPECT_NE(own.rlim_max, 77U);
}

TEST(BeforeExec, WhereItFailsTheProgramDoesNotRun) {
  Command command = shell("echo ran");
  command.before_exec = []() -> Result<void> {
    return make_error(ErrorKind::kSystem, "no filter today");
  };
  const auto result = run_command(command);
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  EXPECT_EQ(result->status, 127);
  EXPECT_EQ(result->output, "");
  EXPECT_THAT(result->errors, testing::HasSubstr("no filter today"));
}

TEST(RunCommand, AProgramThatEndsByASignalIsNoSuccess) {
  const auto result = run_command(shell("kill -9 $$"));
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  EXPECT_EQ(result->status, 128 + SIGKILL);
}

}  // namespace
}  // namespace langsbx
