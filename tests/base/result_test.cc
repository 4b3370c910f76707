// Result and TRY: values pass, errors return early with their contexts in order.
#include "runtime/base/result.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

namespace langsbx {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return make_error(ErrorKind::kInvalidInput, "odd");
  return value / 2;
}

Result<int> quarter(int value) { return TRY_CONTEXT(half(TRY(half(value))), "second half"); }

Result<void> check(int value) {
  TRY(half(value));
  return {};
}

TEST(ResultTest, PassesValues) {
  auto result = quarter(8);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(*result, 2);
  EXPECT_TRUE(check(2).ok());
}

TEST(ResultTest, ReturnsErrorsWithContext) {
  EXPECT_EQ(quarter(3).error().message, "odd");
  EXPECT_EQ(quarter(6).error().message, "second half: odd");
  EXPECT_EQ(check(1).error().kind, ErrorKind::kInvalidInput);
}

TEST(ErrorTest, PrintsErrnoInLowerCase) {
  EXPECT_EQ(system_error("openat2 /x", EACCES).to_string(), "openat2 /x: permission denied");
  EXPECT_EQ(system_error("open", ENOENT).to_string(), "open: no such file or directory");
}

}  // namespace
}  // namespace langsbx
