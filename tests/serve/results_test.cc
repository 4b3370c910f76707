#include "cmd/langsbxd/results.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/temp_dir.h"

namespace langsbx::serve {
namespace {

using nlohmann::json;

class ResultsTest : public testing::Test {
 protected:
  Results open(ResultBounds bounds = {}) {
    auto opened = Results::open(folder(), bounds);
    EXPECT_TRUE(opened.ok());
    return opened.release_value();
  }
  std::string folder() { return folder_.path() + "/results"; }

 private:
  test::TempDir folder_;
};

TEST_F(ResultsTest, ARestartLosesNone) {
  {
    auto results = open();
    ASSERT_TRUE(results.keep("run_a", "key", json{{"x", 1}}).ok());
  }
  const auto again = open();
  EXPECT_EQ(again.find("run_a", "key"), (json{{"x", 1}}));
}

TEST_F(ResultsTest, AnotherKeyFindsNothing) {
  auto results = open();
  ASSERT_TRUE(results.keep("run_a", "key", json{{"x", 1}}).ok());
  EXPECT_FALSE(results.find("run_a", "other"));
  EXPECT_FALSE(results.remove("run_a", "other"));
  EXPECT_FALSE(results.find("../keys", "key"));
  EXPECT_TRUE(results.remove("run_a", "key"));
  EXPECT_FALSE(results.find("run_a", "key"));
  EXPECT_FALSE(open().find("run_a", "key"));
}

TEST_F(ResultsTest, TheOldestMakeRoom) {
  auto results = open({.most = 2});
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(results.keep(id, "key", json(id)).ok());
  EXPECT_EQ(results.count(), 2U);
  EXPECT_FALSE(results.find("a", "key"));
  EXPECT_EQ(results.find("c", "key"), json("c"));
}

TEST_F(ResultsTest, WhoKeepsMuchLosesItsOwnAlone) {
  for (const ResultBounds bounds : {ResultBounds{.most = 3}, ResultBounds{.bytes = 200}}) {
    auto results = open(bounds);
    ASSERT_TRUE(results.keep("a", "small", json(1)).ok());
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(results.keep("b" + std::to_string(i), "large", json(std::string(20, 'x'))).ok());
    }
    EXPECT_LE(results.count(), 5U);
    EXPECT_EQ(results.find("a", "small"), json(1));
    EXPECT_TRUE(results.find("b19", "large"));
    EXPECT_FALSE(results.find("b0", "large"));
    EXPECT_EQ(open(bounds).find("a", "small"), json(1));
    EXPECT_TRUE(results.remove("a", "small"));
    for (int i = 0; i < 20; ++i) results.remove("b" + std::to_string(i), "large");
    EXPECT_EQ(results.count(), 0U);
  }
}

TEST_F(ResultsTest, WhatIsHalfWrittenIsNotTakenOver) {
  { open(); }
  std::ofstream(folder() + "/.run_b.json") << "{";
  std::ofstream(folder() + "/strange") << "x";
  const auto results = open();
  EXPECT_EQ(results.count(), 0U);
  EXPECT_NE(::access((folder() + "/.run_b.json").c_str(), F_OK), 0);
}

TEST_F(ResultsTest, WhatIsOldGoes) {
  auto results = open({.age = std::chrono::seconds(-1)});
  ASSERT_TRUE(results.keep("a", "key", json(1)).ok());
  results.drop_old();
  EXPECT_EQ(results.count(), 0U);
}

}  // namespace
}  // namespace langsbx::serve
