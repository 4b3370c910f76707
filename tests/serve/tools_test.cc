#include "cmd/langsbxd/tools.h"

#include <gtest/gtest.h>

namespace langsbx::serve {
namespace {

TEST(Tools, ASelectorNamesVersions) {
  for (const char* selector : {"*", "", "x", "3", "3.x", "3.11", "3.11.2", "^3.10", "~3.11.1",
                               ">=3", ">=3.11.2", "v3.11.2", "=3.11.2"}) {
    EXPECT_TRUE(selects(selector, "3.11.2")) << selector;
  }
  for (const char* selector :
       {"2", "4.x", "3.10", "3.11.3", "^3.12", "~3.10.1", ">=3.11.3", "9.9", "latest", "^"}) {
    EXPECT_FALSE(selects(selector, "3.11.2")) << selector;
  }
}

TEST(Tools, AVersionIsFoundInWhatAProgramPrints) {
  EXPECT_EQ(version_in("go version go1.19.8 linux/amd64"), "1.19.8");
  EXPECT_EQ(version_in("Python 3.11.2\n"), "3.11.2");
  EXPECT_EQ(version_in("gcc (Debian 12.2.0-14+deb12u1) 12.2.0"), "12.2.0");
  EXPECT_EQ(version_in("GNU bash, version 5.2.15(1)-release"), "5.2.15");
  EXPECT_EQ(version_in("no number, 7 apart"), "");
}

}  // namespace
}  // namespace langsbx::serve
