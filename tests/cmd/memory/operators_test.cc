// The program's new and delete, in a program of their own.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Small {
  char bytes[16];
};

std::uintptr_t address(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

TEST(Operators, ObjectsLieSideBySide) {
  const auto first = std::make_unique<Small>();
  const auto second = std::make_unique<Small>();
  EXPECT_EQ(address(second.get()), address(first.get()) + sizeof(Small));
}

TEST(Operators, TheLastOnesPlaceIsTheNextOnes) {
  const auto first = address(std::make_unique<Small>().get());
  EXPECT_EQ(address(std::make_unique<Small>().get()), first);
}

TEST(Operators, OtherThreadsHaveTheirOwn) {
  auto ours = std::make_unique<Small>();
  std::unique_ptr<Small> theirs;
  std::thread([&] {
    theirs = std::make_unique<Small>();
    ours.reset();
  }).join();
  constexpr std::uintptr_t kFar = 64 << 10;
  EXPECT_GT(address(theirs.get()) - address(std::make_unique<Small>().get()) + kFar, 2 * kFar);
}

// More than there is place for: each keeps what was written, whichever of the two it lies in.
TEST(Operators, ManyObjects) {
  constexpr std::size_t kMany = 3000;
  std::vector<std::unique_ptr<std::string>> texts;
  std::set<const char*> places;
  for (std::size_t i = 0; i < kMany; ++i) {
    texts.push_back(std::make_unique<std::string>(20 + i % 100, static_cast<char>('a' + i % 26)));
    places.insert(texts.back()->data());
  }
  EXPECT_EQ(places.size(), kMany);
  for (std::size_t i = 0; i < kMany; i += 2) texts[i].reset();
  for (std::size_t i = 1; i < kMany; i += 2) {
    EXPECT_EQ(*texts[i], std::string(20 + i % 100, static_cast<char>('a' + i % 26)));
  }
}

TEST(Operators, LargeAndAlignedObjects) {
  const std::vector<char> large(1 << 20, 'x');
  EXPECT_EQ(large.back(), 'x');
  struct alignas(128) Aligned {
    char bytes[128];
  };
  EXPECT_EQ(address(std::make_unique<Aligned>().get()) % alignof(Aligned), 0U);
}

}  // namespace
