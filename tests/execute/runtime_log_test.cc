#include "runtime/execute/runtime_log.h"

#include <gtest/gtest.h>

namespace langsbx::execute {
namespace {

TEST(RuntimeLog, TheFirstFailureIsTold) {
  EXPECT_EQ(failure_in_log("{\"level\":\"info\",\"msg\":\"begins\"}\n"
                           "{\"msg\":\"no room\",\"level\":\"error\",\"time\":{\"s\":1}}\n"
                           "{\"level\":\"fatal\",\"msg\":\"later\"}\n"),
            "no room");
  EXPECT_EQ(failure_in_log("{\"level\":\"fatal\",\"msg\":\"alone\"}"), "alone");
}

TEST(RuntimeLog, AFailureWithoutATextIsItsLine) {
  EXPECT_EQ(failure_in_log("{\"level\":\"error\"}\n"), "{\"level\":\"error\"}");
}

TEST(RuntimeLog, WhatIsNoEntryIsPassedOver) {
  EXPECT_EQ(failure_in_log(""), "");
  EXPECT_EQ(failure_in_log("panic: oh\n[\"level\",\"error\"]\n{\"level\":1,\"msg\":\"a\"}\n\n"),
            "");
  EXPECT_EQ(failure_in_log("panic: oh\n{\"level\":\"error\",\"msg\":\"told\"}\n"), "told");
}

TEST(RuntimeLog, WhatIsWrittenIsRead) {
  const std::string text = "exec \"/a\nb\": no such file";
  EXPECT_EQ(failure_in_log(failure_line(text)), text);
}

}  // namespace
}  // namespace langsbx::execute
