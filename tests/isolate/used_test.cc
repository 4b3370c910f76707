// Descriptors closed many at a time: how many there may be, and which are still open when.
#include "runtime/isolate/used.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace langsbx::isolate {
namespace {

UniqueFd open_null() { return UniqueFd(::open("/dev/null", O_PATH | O_CLOEXEC)); }
bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

// Opens and adds `count` of them; gives their numbers, which repeat once some were closed.
std::vector<int> add(Used& used, int count) {
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) {
    auto file = open_null();
    numbers.push_back(file.get());
    used.add(std::move(file));
    EXPECT_TRUE(is_open(numbers.back()));
  }
  return numbers;
}

TEST(Used, ClosesAllTogether) {
  Used used;
  const auto numbers = add(used, 5);
  EXPECT_TRUE(std::all_of(numbers.begin(), numbers.end(), is_open));
  used.close();
  EXPECT_TRUE(std::none_of(numbers.begin(), numbers.end(), is_open));
}

TEST(Used, ClosesWhenItEnds) {
  std::vector<int> numbers;
  {
    Used used;
    numbers = add(used, 3);
  }
  EXPECT_TRUE(std::none_of(numbers.begin(), numbers.end(), is_open));
}

TEST(Used, OthersBetweenThemStayOpen) {
  Used used;
  used.add(open_null());
  const auto kept = open_null();
  used.add(open_null());
  used.close();
  EXPECT_TRUE(is_open(kept.get()));
}

TEST(Used, NeverHasMoreThanItMay) {
  Used used;
  const auto numbers = add(used, 500);
  // One more is open when it is handed over.
  EXPECT_LE(std::set<int>(numbers.begin(), numbers.end()).size(), Used::kMost + 1);
}

TEST(Used, WithFewOnlyTheLastIsOpen) {
  Used used(Used::kFew);
  const auto first = add(used, 1);
  auto second = open_null();
  const int number = second.get();
  used.add(std::move(second));
  EXPECT_FALSE(is_open(first[0]));
  EXPECT_TRUE(is_open(number));
  used.settle();
  EXPECT_FALSE(is_open(number));
}

TEST(Used, SettlingKeepsManyOpen) {
  Used used;
  const auto numbers = add(used, 2);
  used.settle();
  EXPECT_TRUE(std::all_of(numbers.begin(), numbers.end(), is_open));
}

TEST(Used, TakesNothing) {
  Used used;
  used.add(UniqueFd());
  used.close();
}

}  // namespace
}  // namespace langsbx::isolate
