// /proc/self/status, of this process and as text.
#include "runtime/kernel/own_status.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/in_child.h"

namespace langsbx {
namespace {

constexpr const char* kText =
    "Name:\tUid:\t7\nUmask:\t0022\nState:\tR "
    "(running)\nUid:\t1000\t1001\t1002\t1003\nGid:\t5\t6\t7\t8\n"
    "Groups:\t3 20 4294967294 "
    "\nCoreDumping:\t0\nSigQ:\t1/2\nSigIgn:\t0000000000001000\nCapInh:\t0000000000000001\n"
    "CapPrm:\t0000000000000002\nCapEff:\t0000000000000004\nCapBnd:\t000001ffffffffff\n"
    "CapAmb:\t8000000000000000\nSeccomp:\t0\n";

TEST(OwnStatus, ReadsEveryField) {
  const auto status = parse_own_status(kText);
  ASSERT_TRUE(status.ok()) << status.error().to_string();
  EXPECT_EQ(status->uid.real, 1000U);
  EXPECT_EQ(status->uid.effective, 1001U);
  EXPECT_EQ(status->uid.saved, 1002U);
  EXPECT_EQ(status->uid.file_system, 1003U);
  EXPECT_EQ(status->gid.file_system, 8U);
  EXPECT_EQ(status->groups, (std::vector<gid_t>{3, 20, 4294967294U}));
  EXPECT_EQ(status->ignored_signals, std::uint64_t{1} << (SIGPIPE - 1));
  EXPECT_EQ(status->inheritable, 1U);
  EXPECT_EQ(status->permitted, 2U);
  EXPECT_EQ(status->effective, 4U);
  EXPECT_EQ(status->bounding, 0x1ffffffffffU);
  EXPECT_EQ(status->ambient, 0x8000000000000000U);
}

TEST(OwnStatus, AMissingOrTornFieldIsAnError) {
  const std::string whole = kText;
  EXPECT_FALSE(parse_own_status("").ok());
  EXPECT_FALSE(parse_own_status(whole.substr(0, whole.find("CapAmb"))).ok());
  std::string torn = whole;
  torn.replace(torn.find("\t1003"), 5, "\tx");
  EXPECT_FALSE(parse_own_status(torn).ok());
}

TEST(OwnStatus, OfThisProcess) {
  const auto status = read_own_status();
  ASSERT_TRUE(status.ok()) << status.error().to_string();
  EXPECT_EQ(status->uid.real, ::getuid());
  EXPECT_EQ(status->gid.effective, ::getegid());
  for (int number = 0; number <= 40; ++number) {
    const int bound = ::prctl(PR_CAPBSET_READ, number, 0, 0, 0);
    if (bound >= 0) {
      EXPECT_EQ(status->bounding >> static_cast<unsigned>(number) & 1U,
                static_cast<unsigned>(bound));
    }
  }
}

// Answered once for a process, so in children of their own.
std::string says_initial(bool expected) {
  return in_initial_user_namespace() == expected ? "" : "wrong";
}

TEST(OwnStatus, KnowsTheInitialUserNamespace) {
  struct stat status {};
  ASSERT_EQ(::stat("/proc/self/ns/user", &status), 0);
  const bool is_initial = status.st_ino == 0xEFFFFFFD;
  EXPECT_EQ(test::in_child([&] { return says_initial(is_initial); }), "");
  // Without capabilities, too, where the shorter way is closed.
  EXPECT_EQ(test::in_child([&]() -> std::string {
              if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return "setresuid";
              return says_initial(is_initial);
            }),
            "");
}

TEST(OwnStatus, RootOfAnotherUserNamespaceIsNotInTheInitialOne) {
  const auto report = test::in_child([]() -> std::string {
    if (::unshare(CLONE_NEWUSER) != 0) return "no user namespace";
    return says_initial(false);
  });
  if (report == "no user namespace") GTEST_SKIP() << "user namespaces are not allowed here";
  EXPECT_EQ(report, "");
}

}  // namespace
}  // namespace langsbx
