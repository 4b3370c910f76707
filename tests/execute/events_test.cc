// The file of events that a program can make entries in.
#include "runtime/execute/events.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

TEST(Events, RequestsOfAProgramAreCountedBeyondANumber) {
  std::string path = testing::TempDir() + "events-XXXXXX";
  const UniqueFd made(::mkstemp(path.data()));
  ASSERT_TRUE(made.valid());
  auto events = Events::open(path, "x");
  ASSERT_TRUE(events.ok()) << events.error().to_string();
  egress::Asked asked;
  asked.allowed = true;
  std::strcpy(asked.host, "example.org");
  for (int i = 0; i < 10'003; ++i) events->network(asked);
  events->ended({});
  events->drain();
  EXPECT_FALSE(events->lost());
  const auto text = read_file(path);
  ::unlink(path.c_str());
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(std::count(text->begin(), text->end(), '\n'), 10'001);
  EXPECT_NE(text->find(R"("requests_left_out":3)"), std::string::npos);
}

}  // namespace
}  // namespace langsbx::execute
