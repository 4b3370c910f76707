#include "cmd/langsbxd/feed.h"

#include <gtest/gtest.h>

#include <vector>

namespace langsbx::serve {
namespace {

TEST(Feed, WhoComesLaterGetsWhatCameBefore) {
  Feed feed(1000);
  feed.add("started", "{}");
  feed.add("stdout", "1");
  std::vector<std::string> seen;
  bool lost = true;
  feed.listen(1, lost, [&](const FeedEvent& event) { seen.push_back(event.data); });
  EXPECT_FALSE(lost);
  feed.add("stdout", "2");
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "2"}));
}

TEST(Feed, SaysWhenTheOldestAreGone) {
  Feed feed(10);
  for (int i = 0; i < 5; ++i) feed.add("stdout", "12345");
  std::vector<std::uint64_t> numbers;
  bool lost = false;
  feed.listen(0, lost, [&](const FeedEvent& event) { numbers.push_back(event.number); });
  EXPECT_TRUE(lost);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{4, 5}));
  feed.listen(3, lost, [](const FeedEvent&) {});
  EXPECT_FALSE(lost);
}

TEST(Feed, AListenerMayLeaveWhileItIsCalled) {
  Feed feed(1000);
  int calls = 0;
  std::uint64_t number = 0;
  bool lost = false;
  number = feed.listen(0, lost, [&](const FeedEvent&) {
    ++calls;
    feed.leave(number);
  });
  feed.add("stdout", "1");
  feed.add("stdout", "2");
  EXPECT_EQ(calls, 1);
}

TEST(Feed, AClosedOneStillTellsWhatItHas) {
  Feed feed(1000);
  feed.add("result", "{}");
  feed.close();
  int calls = 0;
  bool lost = false;
  feed.listen(0, lost, [&](const FeedEvent&) { ++calls; });
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(feed.closed());
}

}  // namespace
}  // namespace langsbx::serve
