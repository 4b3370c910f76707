// The spellings of signals that clients use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "runtime/lifecycle.h"

namespace langsbx::runtime {
namespace {

TEST(ParseSignal, TakesNamesAndNumbers) {
  for (const char* text : {"9", "KILL", "SIGKILL", "kill", "sigKill"}) {
    EXPECT_EQ(parse_signal(text).value_or(-1), SIGKILL) << text;
  }
  EXPECT_EQ(parse_signal("0").value_or(-1), 0);
  EXPECT_EQ(parse_signal("SIGIOT").value_or(-1), SIGABRT);
  EXPECT_EQ(parse_signal("RTMIN").value_or(-1), SIGRTMIN);
  EXPECT_EQ(parse_signal("SIGRTMIN+3").value_or(-1), SIGRTMIN + 3);
  EXPECT_EQ(parse_signal("RTMAX-2").value_or(-1), SIGRTMAX - 2);
}

TEST(ParseSignal, RefusesTheRest) {
  for (const char* text :
       {"", "SIG", "NOSUCH", "-1", "65", "9x", "RTMIN+99", "RTMAX+1", "RTMIN+", "RTMINx"}) {
    auto parsed = parse_signal(text);
    ASSERT_FALSE(parsed.ok()) << text << " is " << *parsed;
    EXPECT_EQ(parsed.error().message, std::string("unknown signal \"") + text + "\"");
  }
}

}  // namespace
}  // namespace langsbx::runtime
