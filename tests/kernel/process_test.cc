// Helper programs that do not do what is expected of them.
#include "runtime/kernel/process.h"

#include <gtest/gtest.h>

namespace langsbx {
namespace {

// More than a pipe holds, for a program that reads nothing: its timeout holds all the same.
TEST(RunCommand, InputThatNobodyReadsHoldsNobody) {
  Command command;
  command.path = "/bin/sleep";
  command.args = {"sleep", "30"};
  command.input = std::string(std::size_t{1} << 20U, 'x');
  command.timeout = std::chrono::milliseconds(200);
  const auto begin = std::chrono::steady_clock::now();
  const auto result = run_command(command);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(RunCommand, MuchInputArrives) {
  Command command;
  command.path = "/usr/bin/wc";
  command.args = {"wc", "-c"};
  command.input = std::string(300000, 'x');
  const auto result = run_command(command);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "300000\n");
}

}  // namespace
}  // namespace langsbx
