// Names and numbers of capabilities, and what this process may give.
#include "runtime/confine/capabilities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>

namespace langsbx::confine {
namespace {

using ::testing::ElementsAre;

TEST(CapabilityNames, GoBothWays) {
  EXPECT_EQ(capability_number("CAP_CHOWN"), 0);
  EXPECT_EQ(capability_number("CAP_CHECKPOINT_RESTORE"), 40);
  for (const char* other : {"chown", "cap_chown", "CAP_Chown", "0", "40", "CAP_41", "CAP_", ""}) {
    EXPECT_EQ(capability_number(other), -1) << other;
  }
  EXPECT_EQ(capability_name(63), "CAP_63");
  for (int number = 0; number <= 40; ++number) {
    EXPECT_EQ(capability_number(capability_name(number)), number);
  }
  EXPECT_THAT(capability_names((1U << 13U) | 1U), ElementsAre("CAP_CHOWN", "CAP_NET_RAW"));
}

TEST(CapabilityHost, IsWhatTheKernelSaysOfEachCapability) {
  const auto host = read_capability_host();
  ASSERT_TRUE(host.ok()) << host.error().message;
  for (int number = 0; number <= host->last_capability; ++number) {
    const int held = ::prctl(PR_CAPBSET_READ, static_cast<unsigned long>(number), 0, 0, 0);
    EXPECT_EQ(static_cast<int>(host->bounding >> static_cast<unsigned>(number) & 1U), held)
        << number;
  }
  EXPECT_GE(::prctl(PR_CAPBSET_READ, static_cast<unsigned long>(host->last_capability), 0, 0, 0),
            0);
}

}  // namespace
}  // namespace langsbx::confine
