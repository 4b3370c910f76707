#include "cmd/langsbxd/utf8_parts.h"

#include <gtest/gtest.h>

namespace langsbx::serve {
namespace {

TEST(Utf8Parts, ACutCharacterWaitsForItsRest) {
  Utf8Parts parts;
  EXPECT_EQ(parts.take("a\xc3").text, "a");
  const auto rest = parts.take("\xa9z");
  EXPECT_EQ(rest.text, "\xc3\xa9z");
  EXPECT_EQ(rest.bytes, "");
  EXPECT_EQ(parts.left(), "");
}

TEST(Utf8Parts, WhatIsNoTextComesAsBytes) {
  Utf8Parts parts;
  const auto part = parts.take("ok\xff\xfe\xfd\xfc end");
  EXPECT_EQ(part.text, "ok");
  EXPECT_EQ(part.bytes, "\xff\xfe\xfd\xfc end");
}

TEST(Utf8Parts, NothingIsLostAtTheEnd) {
  Utf8Parts parts;
  EXPECT_EQ(parts.take("x\xe2\x82").text, "x");
  EXPECT_EQ(parts.left(), "\xe2\x82");
}

}  // namespace
}  // namespace langsbx::serve
