// The timeline: off, on, across processes.
#include "runtime/base/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace langsbx::trace {
namespace {

using testing::HasSubstr;
using testing::Not;

// One test, since recording once begun lasts as long as the process.
TEST(Trace, RecordsPhasesOfBothProcesses) {
  { const Span ignored("before"); }
  EXPECT_FALSE(is_on());
  EXPECT_EQ(to_json(), "");
  ASSERT_TRUE(begin().ok());
  EXPECT_TRUE(is_on());
  { const Span span("plan", "quote \" and \n line"); }
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    enter_container();
    { const Span inside("mounts", std::string(500, 'm')); }
    const auto* const unfinished = new Span("exec");
    ::_exit(unfinished != nullptr ? 0 : 1);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string json = to_json();
  EXPECT_THAT(json, Not(HasSubstr("before")));
  EXPECT_THAT(json, HasSubstr(R"("pid":1,"tid":1,"name":"plan")"));
  EXPECT_THAT(json, HasSubstr(R"(quote \" and \u000a line)"));
  EXPECT_THAT(json, HasSubstr(R"("pid":2,"tid":2,"name":"mounts")"));
  EXPECT_THAT(json, HasSubstr(R"("pid":2,"tid":2,"name":"exec")"));
  EXPECT_THAT(json, Not(HasSubstr(std::string(112, 'm'))));
}

}  // namespace
}  // namespace langsbx::trace
