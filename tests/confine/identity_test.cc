// Capabilities, identity, limits, labels, scheduling, environment: plans and what is applied.
#include "runtime/confine/identity.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <functional>

#include "runtime/confine/environment.h"
#include "runtime/confine/host.h"
#include "runtime/confine/labels.h"
#include "runtime/confine/report.h"
#include "runtime/confine/rlimits.h"
#include "runtime/confine/scheduling.h"
#include "tests/support/in_child.h"

namespace langsbx::confine {
namespace {

using test::failed;
using test::in_child;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr CapabilitySet kChown = 1U << 0U;
constexpr CapabilitySet kKill = 1U << 5U;

CapabilityHost host_with(CapabilitySet bounding) { return {40, bounding, false}; }

TEST(CapabilityPlanning, SetsAreExactlyTheConfigs) {
  oci::Capabilities wanted;
  wanted.bounding = {"CAP_CHOWN", "CAP_KILL"};
  wanted.permitted = {"CAP_CHOWN"};
  wanted.effective = {"CAP_CHOWN"};
  const CapabilityPlan plan = plan_capabilities(wanted, host_with(~CapabilitySet{0}));
  EXPECT_EQ(plan.bounding, kChown | kKill);
  EXPECT_EQ(plan.permitted, kChown);
  EXPECT_EQ(plan.effective, kChown);
  EXPECT_EQ(plan.inheritable, 0U);  // CVE-2022-29162: never filled from another set
  EXPECT_EQ(plan.ambient, 0U);
  EXPECT_THAT(plan.warnings, IsEmpty());
}

TEST(CapabilityPlanning, UnknownAndUngrantableAreWarnings) {
  oci::Capabilities wanted;
  wanted.bounding = {"CAP_CHOWN", "CAP_FLY", "CAP_KILL"};
  const CapabilityPlan plan = plan_capabilities(wanted, host_with(kChown));
  EXPECT_EQ(plan.bounding, kChown);
  EXPECT_THAT(plan.warnings, ElementsAre(HasSubstr("\"CAP_FLY\""), HasSubstr("CAP_KILL can't")));
  CapabilityHost fresh = host_with(kChown);
  fresh.new_user_namespace = true;
  EXPECT_EQ(plan_capabilities(wanted, fresh).bounding, kChown | kKill);
}

TEST(CapabilityPlanning, AmbientNeedsPermittedAndInheritable) {
  oci::Capabilities wanted;
  wanted.bounding = wanted.permitted = wanted.inheritable = {"CAP_KILL"};
  wanted.ambient = {"CAP_KILL", "CAP_NET_RAW"};
  const CapabilityPlan plan = plan_capabilities(wanted, host_with(~CapabilitySet{0}));
  EXPECT_EQ(plan.ambient, kKill);
  EXPECT_THAT(plan.warnings,
              ElementsAre(HasSubstr("can't raise ambient capability CAP_NET_RAW: it is")));
  wanted.ambient = {"CAP_NET_RAW", "CAP_CHOWN", "CAP_SETUID"};
  EXPECT_THAT(plan_capabilities(wanted, host_with(~CapabilitySet{0})).warnings,
              ElementsAre(AllOf(HasSubstr("CAP_CHOWN: it is"),
                                EndsWith("(also CAP_SETUID, CAP_NET_RAW)"))));
}

class AsRoot : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  }
};

TEST_F(AsRoot, IdentityIsAppliedAndVerified) {
  oci::Capabilities wanted;
  wanted.bounding = wanted.permitted = wanted.effective = {"CAP_KILL"};
  oci::User user;
  user.uid = 1234;
  user.gid = 2345;
  user.umask = 027;
  user.additional_gids = {7, 5};
  const CapabilityHost host = read_capability_host().release_value();
  const auto plan = plan_identity(user, plan_capabilities(wanted, host), true, false);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ("", in_child([&]() -> std::string {
              if (auto error = failed(apply_identity(*plan)); !error.empty()) return error;
              if (::getuid() != 1234 || ::getegid() != 2345) return "ids";
              if (::umask(0) != 027) return "umask";
              if (::prctl(PR_GET_DUMPABLE) != 0) return "dumpable";
              if (::setuid(0) == 0) return "root regained";
              if (::prctl(PR_CAPBSET_READ, 0, 0, 0, 0) != 0) return "CAP_CHOWN still in bounding";
              // Not by our own reader alone.
              __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
              __user_cap_data_struct data[2] = {};
              if (::syscall(SYS_capget, &header, data) != 0) return "capget";
              if (data[0].effective != kKill || data[0].permitted != kKill) return "capabilities";
              if (data[1].effective != 0 || data[1].permitted != 0) return "upper capabilities";
              if (data[0].inheritable != 0 || data[1].inheritable != 0) return "inheritable";
              if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_KILL, 0, 0) != 0) {
                return "ambient";
              }
              return failed(verify_capabilities(*plan->capabilities));
            }));
}

// The test above once more in a program that was started with less, in ways that execve treats
// differently.
class StartedWithLess : public AsRoot {
 protected:
  static std::string look_again(const std::function<bool()>& reduce) {
    return in_child([&]() -> std::string {
      if (!reduce()) return "can't be reduced";
      // Not with what this run was told by variables: where its results go, for one.
      char* const nothing[] = {nullptr};
      ::execle("/proc/self/exe", "test", "--gtest_filter=CapabilityHost.*", "--gtest_brief=1",
               nullptr, nothing);
      return "exec";
    });
  }
  static bool permit(CapabilitySet permitted, CapabilitySet inheritable) {
    CapabilityPlan plan;
    plan.permitted = plan.effective = permitted;
    plan.inheritable = inheritable;
    return set_capabilities(plan).ok();
  }
};

TEST_F(StartedWithLess, BoundingSet) {
  EXPECT_EQ("", look_again([] { return ::prctl(PR_CAPBSET_DROP, CAP_CHOWN, 0, 0, 0) == 0; }));
}

TEST_F(StartedWithLess, PermittedButNotBounding) {
  EXPECT_EQ("", look_again([] { return permit(kKill, 0); }));
  EXPECT_EQ("", look_again([] {
              return permit(kKill, 0) && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
            }));
}

TEST_F(StartedWithLess, InheritableBeyondTheBounding) {
  EXPECT_EQ("", look_again([] {
              const CapabilitySet all = kChown | kKill | CapabilitySet{1} << CAP_SETPCAP;
              return permit(all, kChown) && ::prctl(PR_CAPBSET_DROP, CAP_CHOWN, 0, 0, 0) == 0;
            }));
}

TEST_F(StartedWithLess, RootThatIsNobodySpecial) {
  EXPECT_EQ("", look_again([] { return ::prctl(PR_SET_SECUREBITS, 1, 0, 0, 0) == 0; }));
  EXPECT_EQ("", look_again([] { return ::setresuid(1234, 1234, 1234) == 0; }));
}

TEST_F(AsRoot, NoCapabilitiesPropertyMeansNone) {
  const auto plan = plan_identity({}, {}, true, false);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ("", in_child([&]() -> std::string {
              if (auto error = failed(apply_identity(*plan)); !error.empty()) return error;
              return failed(verify_capabilities({}));
            }));
}

TEST_F(AsRoot, ADifferenceIsNoticed) {
  EXPECT_NE("", in_child([]() -> std::string { return failed(verify_capabilities({})); }));
}

TEST(Identity, RefusesWhatIsNoIdAndGroupsThatCannotBeSet) {
  oci::User user;
  user.uid = 0xffffffff;
  EXPECT_THAT(plan_identity(user, {}, true, false).error().message, HasSubstr("process.user.uid"));
  user.uid = 0;
  user.additional_gids = {4};
  EXPECT_THAT(plan_identity(user, {}, false, false).error().message,
              HasSubstr("process.user.additionalGids"));
  EXPECT_FALSE(plan_identity(user, {}, true, true)->set_groups);
}

TEST(Rlimits, FaultsNameTheField) {
  EXPECT_THAT(plan_rlimits({{"RLIMIT_NOFILE", 1, 2}, {"RLIMIT_NOFILE", 1, 2}}).error().message,
              HasSubstr("process.rlimits[1].type: duplicate RLIMIT_NOFILE"));
  EXPECT_THAT(plan_rlimits({{"RLIMIT_X", 1, 2}}).error().message, HasSubstr("process.rlimits[0]"));
  EXPECT_THAT(plan_rlimits({{"RLIMIT_CPU", 3, 2}}).error().message, HasSubstr("above the hard"));
}

TEST(Rlimits, AreAppliedAndAFailureNamesTheType) {
  const auto plan = plan_rlimits({{"RLIMIT_NOFILE", 100, 200}}).release_value();
  const auto raise = plan_rlimits({{"RLIMIT_NOFILE", 100, 1ULL << 40U}}).release_value();
  EXPECT_EQ("", in_child([&]() -> std::string {
              if (auto error = failed(apply_rlimits(plan)); !error.empty()) return error;
              rlimit now{};
              ::getrlimit(RLIMIT_NOFILE, &now);
              if (now.rlim_cur != 100 || now.rlim_max != 200) return "not applied";
              const auto raised = apply_rlimits(raise);  // above fs.nr_open: nobody may
              if (raised.ok()) return "raised";
              return raised.error().message.find("RLIMIT_NOFILE") == std::string::npos ? "no name"
                                                                                       : "";
            }));
}

TEST(Labels, WhatCannotBeAppliedIsAnError) {
  EXPECT_THAT(plan_labels("docker-default", "", {}).error().message,
              HasSubstr("process.apparmorProfile"));
  EXPECT_THAT(plan_labels("", "system_u:x", {}).error().message, HasSubstr("process.selinuxLabel"));
  EXPECT_TRUE(plan_labels("unconfined", "", {}).ok());
  EXPECT_EQ(plan_labels("docker-default", "", {true, false})->apparmor_profile, "docker-default");
}

// CVE-2019-16884: what looks like /proc but is none is not written to.
TEST(Labels, AFakeProcIsRefused) {
  std::string pattern = testing::TempDir() + "proc-XXXXXX";
  const std::string folder = ::mkdtemp(pattern.data());
  ::mkdir((folder + "/self").c_str(), 0700);
  ::close(::open((folder + "/self/oom_score_adj").c_str(), O_CREAT | O_WRONLY, 0600));
  const int fake = ::open(folder.c_str(), O_PATH | O_DIRECTORY);
  const auto written = write_oom_score_adj(fake, 0);
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message, HasSubstr("not on a procfs"));
  ::close(fake);
  EXPECT_EQ(::system(("rm -rf " + folder).c_str()), 0);
  const int real = ::open("/proc", O_PATH | O_DIRECTORY);
  EXPECT_EQ("", in_child([&] { return failed(write_oom_score_adj(real, 500)); }));
  ::close(real);
}

TEST(Scheduling, ListsBecomeMasks) {
  EXPECT_EQ(parse_cpu_list("0-2,5", "x").release_value(), CpuMask{0x27});
  EXPECT_EQ(parse_cpu_list("64", "x").release_value(), (CpuMask{0, 1}));
  EXPECT_EQ(parse_cpu_list(" 1 , 3\n", "x").release_value(), CpuMask{0xa});
  for (const char* bad : {"", "a", "3-1", "1-", "-1", "1,,2", "70000", "1;2"}) {
    EXPECT_FALSE(parse_cpu_list(bad, "x").ok()) << bad;
  }
}

TEST(Scheduling, ProcessorsAreChosenFromHereOn) {
  const CpuMask allowed = {0b10110, 1};  // 1, 2, 4 and 64
  EXPECT_EQ(choose_processors(allowed, 1, 0), (CpuMask{0b10, 0}));
  EXPECT_EQ(choose_processors(allowed, 1, 2), (CpuMask{0b100, 0}));
  EXPECT_EQ(choose_processors(allowed, 2, 3), (CpuMask{0b10000, 1}));
  EXPECT_EQ(choose_processors(allowed, 2, 64), (CpuMask{0b10, 1}));
  EXPECT_EQ(choose_processors(allowed, 4, 1), allowed);
  EXPECT_EQ(choose_processors(allowed, 9, 1), allowed);
}

TEST(Scheduling, FaultsNameTheField) {
  const auto error = [](const oci::Process& process, const oci::Linux& linux_, bool cpuset) {
    const auto plan = plan_scheduling(process, linux_, cpuset);
    return plan.ok() ? std::string("no error") : plan.error().message;
  };
  oci::Process process;
  process.scheduler.emplace();
  process.scheduler->policy = "SCHED_DEADLINE";
  EXPECT_THAT(error(process, {}, false), HasSubstr("requires `runtime`"));
  process.scheduler->runtime = 1000000;
  process.scheduler->deadline = 2000000;
  process.scheduler->period = 2000000;
  EXPECT_THAT(error(process, {}, true), HasSubstr("SCHED_DEADLINE"));
  EXPECT_EQ(error(process, {}, false), "no error");
  process.scheduler->policy = "SCHED_FAST";
  EXPECT_THAT(error(process, {}, false), HasSubstr("process.scheduler.policy"));
  process.scheduler->policy = "SCHED_OTHER";
  EXPECT_THAT(error(process, {}, false), HasSubstr("belong to SCHED_DEADLINE"));
  process.scheduler->runtime = 0;
  process.scheduler->deadline = 0;
  process.scheduler->period = 0;
  EXPECT_EQ(error(process, {}, false), "no error");
  process.scheduler->policy = "SCHED_FIFO";
  EXPECT_THAT(error(process, {}, false), HasSubstr("process.scheduler.priority"));
  process = {};
  process.exec_cpu_affinity = oci::ExecCpuAffinity{"0-x", ""};
  EXPECT_THAT(error(process, {}, false), HasSubstr("process.execCPUAffinity.initial"));
  process.exec_cpu_affinity = oci::ExecCpuAffinity{"", "0-x"};
  EXPECT_THAT(error(process, {}, false), HasSubstr("process.execCPUAffinity.final"));
  process = {};
  process.io_priority = oci::IoPriority{"IOPRIO_CLASS_BE", 8};
  EXPECT_THAT(error(process, {}, false), HasSubstr("process.ioPriority.priority"));
  oci::Linux machine;
  machine.personality = oci::Personality{"LINUX64", {}};
  EXPECT_THAT(error({}, machine, false), HasSubstr("linux.personality.domain"));
}

TEST(Scheduling, MemoryPoliciesThatTheKernelWouldRefuse) {
  const auto error = [](const char* mode, const char* nodes) {
    oci::Linux machine;
    machine.memory_policy = oci::MemoryPolicy{.mode = mode, .nodes = nodes, .flags = {}};
    const auto plan = plan_scheduling({}, machine, false);
    return plan.ok() ? std::string("no error") : plan.error().message;
  };
  EXPECT_EQ(error("MPOL_BIND", ""), "linux.memoryPolicy.nodes: MPOL_BIND mode needs some");
  EXPECT_EQ(error("MPOL_LOCAL", "0-7"),
            "linux.memoryPolicy.nodes: MPOL_LOCAL mode requires 0 nodes but got 8");
  EXPECT_EQ(error("", "0"),
            "invalid memory policy mode: linux.memoryPolicy.mode: unknown value \"\"");
  EXPECT_EQ(error("MPOL_PREFERRED", ""), "no error");
  EXPECT_EQ(error("MPOL_DEFAULT", ""), "no error");
  EXPECT_EQ(error("MPOL_INTERLEAVE", "0,2-3"), "no error");
}

TEST(Scheduling, IsApplied) {
  oci::Process process;
  process.scheduler.emplace();
  process.scheduler->policy = "SCHED_BATCH";
  process.scheduler->nice = 5;
  process.io_priority = oci::IoPriority{"IOPRIO_CLASS_IDLE", 0};
  const auto plan = plan_scheduling(process, {}, false).release_value();
  EXPECT_EQ("", in_child([&]() -> std::string {
              if (auto error = failed(apply_scheduling(plan)); !error.empty()) return error;
              if (::sched_getscheduler(0) != SCHED_BATCH) return "policy";
              if (auto error = failed(apply_cpu_affinity({1})); !error.empty()) return error;
              return failed(reset_cpu_affinity());
            }));
}

TEST(Host, SaysWhyNot) {
  const HostReport report = read_host_report();
  EXPECT_FALSE(report.kernel.empty());
  EXPECT_GT(report.facts.size(), 30U);
  for (const HostFact& fact : report.facts) {
    EXPECT_TRUE(fact.enforceable || !fact.detail.empty()) << fact.name;
  }
}

TEST(Report, RoundTripsAndReads) {
  ConfinementReport report;
  report.uid = 7;
  report.no_new_privileges = true;
  report.capabilities.bounding = kKill;
  report.seccomp.push_back({"linux.seccomp", "SCMP_ACT_ERRNO", {}, {}, 12, {"x"}, {}, false});
  report.landlock.abi = 7;
  report.landlock.layers.push_back({"container",
                                    "mounts and rootfs",
                                    fs::kReadFile,
                                    0,
                                    0,
                                    0,
                                    false,
                                    {{"/", fs::kReadFile, false}},
                                    {}});
  report.landlock.layers.push_back(report.landlock.layers.front());
  report.landlock.layers[1].handled_fs = known_rights(LandlockKind::kFs, 7);
  report.landlock.layers[1].paths = {
      {"/w", ~std::uint64_t{fs::kMakeChar | fs::kIoctlDev} & report.landlock.layers[1].handled_fs},
      {"/x", fs::kReadFile},
      {"/x", fs::kReadDir}};
  report.landlock.unenforced = {"y"};
  const auto again = report_from_json(report_json(report));
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(report_text(*again), report_text(report));
  EXPECT_THAT(report_text(report),
              AllOf(HasSubstr("allow /: read_file"), HasSubstr("every right of ABI 7"),
                    HasSubstr("allow /w: execute read_file read_dir make_block modify\n"),
                    HasSubstr("allow /x: read_file read_dir\n"), HasSubstr("(modify: write_file")));
  EXPECT_EQ(report_annotations(report).at("io.langsbx.confinement.landlock"),
            "container+container, ABI 7");
  EXPECT_EQ(report_annotations(report).at("io.langsbx.confinement.unenforced"), "y");
  for (const char* wrong :
       {R"({"uid":-1})", R"({"gid":4294967296})", R"({"capabilities":{"ambient":["CAP_NONE"]}})",
        R"({"seccomp":[{"instructions":4097}]})", R"({"landlock":{"abi":-1}})",
        R"({"landlock":{"layers":[{"paths":[{"path":"x"}]}]}})",
        R"({"landlock":{"layers":[{"ports":[{"port":65536}]}]}})", "[]", "{"}) {
    EXPECT_FALSE(report_from_json(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace langsbx::confine
