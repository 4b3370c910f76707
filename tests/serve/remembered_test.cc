#include "cmd/langsbxd/remembered.h"

#include <gtest/gtest.h>

namespace langsbx::serve {
namespace {

TEST(Remembered, AKeyFindsItsOwnOnly) {
  Remembered remembered;
  remembered.put("a", "name", {"digest", "run_1"});
  ASSERT_NE(remembered.find("a", "name"), nullptr);
  EXPECT_EQ(remembered.find("a", "name")->run, "run_1");
  EXPECT_EQ(remembered.find("b", "name"), nullptr);
  EXPECT_EQ(remembered.find("a", "other"), nullptr);
}

TEST(Remembered, WhatComesAgainIsTheLatest) {
  Remembered remembered;
  remembered.put("a", "name", {"1", "run_1"});
  remembered.put("a", "name", {"1", "run_2"});
  EXPECT_EQ(remembered.find("a", "name")->run, "run_2");
  EXPECT_EQ(remembered.count(), 1U);
}

TEST(Remembered, WhoAsksMuchForgetsItsOwnAlone) {
  Remembered remembered(10);
  remembered.put("a", "one", {"", "run_a"});
  for (int i = 0; i < 1000; ++i) remembered.put("b", std::to_string(i), {"", "run_b"});
  EXPECT_EQ(remembered.count(), 10U);
  EXPECT_NE(remembered.find("a", "one"), nullptr);
  EXPECT_EQ(remembered.find("b", "990"), nullptr);
  EXPECT_NE(remembered.find("b", "991"), nullptr);
}

}  // namespace
}  // namespace langsbx::serve
