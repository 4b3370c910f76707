#include "cmd/langsbxd/fair_queue.h"

#include <gtest/gtest.h>

namespace langsbx::serve {
namespace {

constexpr auto kAnybody = [](const std::string&, std::size_t) { return true; };

TEST(FairQueue, KeysTakeTurns) {
  FairQueue<int> queue(10);
  for (const int item : {1, 2, 3}) EXPECT_TRUE(queue.push("a", 10, item));
  EXPECT_TRUE(queue.push("b", 10, 4));
  EXPECT_TRUE(queue.push("c", 10, 5));
  std::vector<int> order;
  while (auto item = queue.pop(kAnybody)) order.push_back(*item);
  EXPECT_EQ(order, (std::vector<int>{1, 4, 5, 2, 3}));
}

TEST(FairQueue, IsBoundedForAKeyAndInAll) {
  FairQueue<int> queue(3);
  EXPECT_TRUE(queue.push("a", 2, 1));
  EXPECT_TRUE(queue.push("a", 2, 2));
  EXPECT_FALSE(queue.push("a", 2, 3));
  EXPECT_TRUE(queue.push("b", 2, 4));
  EXPECT_FALSE(queue.push("c", 2, 5));
  EXPECT_EQ(queue.size(), 3U);
}

TEST(FairQueue, AKeyThatRunsEnoughIsPassedOver) {
  FairQueue<int> queue(10);
  queue.push("a", 10, 1);
  queue.push("a", 10, 2);
  queue.push("b", 10, 3);
  const auto one_each = [](const std::string&, std::size_t running) { return running < 1; };
  EXPECT_EQ(queue.pop(one_each), 1);
  EXPECT_EQ(queue.pop(one_each), 3);
  EXPECT_FALSE(queue.pop(one_each));
  queue.finished("a");
  EXPECT_EQ(queue.pop(one_each), 2);
}

TEST(FairQueue, AnItemIsTakenOutOnce) {
  FairQueue<int> queue(10);
  queue.push("a", 10, 1);
  queue.push("a", 10, 2);
  const auto is_two = [](int item) { return item == 2; };
  EXPECT_TRUE(queue.remove("a", is_two));
  EXPECT_FALSE(queue.remove("a", is_two));
  EXPECT_FALSE(queue.remove("b", is_two));
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_EQ(queue.pop(kAnybody), 1);
  queue.finished("a");
  queue.finished("a");
  EXPECT_FALSE(queue.pop(kAnybody));
}

}  // namespace
}  // namespace langsbx::serve
