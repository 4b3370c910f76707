// Each end of a program gets its true reason.
#include "runtime/execute/verdict.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>

namespace langsbx::execute {
namespace {

Outcome ended(int wait_status) {
  Outcome outcome;
  outcome.end = runtime::ProgramEnd{wait_status, 0, {}};
  return outcome;
}

Record verdict(const Outcome& outcome) {
  Limits limits;
  limits.cpu_time_ms = 1000;
  Record record;
  judge_outcome(outcome, limits, record);
  return record;
}

TEST(Verdict, AnEndThatNobodyKnowsIsAnErrorUnlessWeMadeIt) {
  Outcome outcome;
  EXPECT_TRUE(end_is_known(outcome).ok());
  outcome.error = EIO;
  const auto known = end_is_known(outcome);
  ASSERT_FALSE(known.ok());
  EXPECT_EQ(known.error().errno_value, EIO);
  EXPECT_NE(known.error().to_string().find("process 1"), std::string::npos);
  outcome.cut = KillReason::kTimeout;
  EXPECT_TRUE(end_is_known(outcome).ok());
}

TEST(Verdict, ExitCodesAreTheProgramsOwn) {
  EXPECT_EQ(verdict(ended(0)).status, Status::kCompleted);
  const auto failed = verdict(ended(3 << 8));
  EXPECT_EQ(failed.status, Status::kFailed);
  EXPECT_EQ(failed.exit_code, 3);
}

TEST(Verdict, ACrashIsAFailureNotAKill) {
  const auto record = verdict(ended(SIGSEGV));
  EXPECT_EQ(record.status, Status::kFailed);
  EXPECT_EQ(record.signal, SIGSEGV);
  EXPECT_EQ(record.exit_code, 128 + SIGSEGV);
  EXPECT_EQ(record.reason, KillReason::kNone);
}

TEST(Verdict, OutOfMemoryIsNeverATimeout) {
  auto outcome = ended(SIGKILL);
  outcome.oom = true;
  EXPECT_EQ(verdict(outcome).reason, KillReason::kMemory);
  Outcome silent;
  silent.oom = true;
  EXPECT_EQ(verdict(silent).reason, KillReason::kMemory);
}

TEST(Verdict, ACompilersEnd) {
  const auto judged = [](Outcome outcome) {
    Record record;
    judge_compiler(outcome, Limits{}, record);
    return record;
  };
  EXPECT_EQ(judged(ended(1 << 8)).status, Status::kCompileError);
  // gcc says that cc1 was killed and ends with 1.
  auto starved = ended(1 << 8);
  starved.oom = true;
  EXPECT_EQ(judged(starved).reason, KillReason::kMemory);
  EXPECT_EQ(judged(starved).exit_code, 128 + SIGKILL);
  Outcome talkative;
  talkative.cut = KillReason::kOutput;
  talkative.truncated = true;
  const auto cut = judged(talkative);
  EXPECT_EQ(cut.status, Status::kCompileError);
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_TRUE(cut.truncated && cut.violations.empty() && cut.reason == KillReason::kNone);
  Outcome late;
  late.cut = KillReason::kTimeout;
  EXPECT_EQ(judged(late).status, Status::kTimeout);
}

// Without a cgroup nobody kills for memory: the program fails for having passed its limit.
TEST(Verdict, MemoryThatWasPassedIsTheReasonOfAFailure) {
  auto failed = ended(1 << 8);
  failed.memory_passed = true;
  EXPECT_EQ(verdict(failed).reason, KillReason::kMemory);
  EXPECT_EQ(verdict(failed).status, Status::kKilled);
  auto survived = ended(0);
  survived.memory_passed = true;
  EXPECT_EQ(verdict(survived).status, Status::kCompleted);
  EXPECT_EQ(verdict(survived).violations.at(0).type, "memory_limit");
}

TEST(Verdict, EventsNameWhoNoticed) {
  EXPECT_EQ(event_source("memory_limit"), "memory");
  EXPECT_EQ(event_source("process_limit"), "processes");
  EXPECT_EQ(event_source("security_violation"), "seccomp");
  EXPECT_EQ(event_source("timeout"), "timeout");
}

TEST(Verdict, SignalsOfLimits) {
  EXPECT_EQ(verdict(ended(SIGXCPU)).reason, KillReason::kCpu);
  EXPECT_EQ(verdict(ended(SIGXFSZ)).reason, KillReason::kDisk);
  EXPECT_EQ(verdict(ended(SIGSYS)).reason, KillReason::kSecurity);
  EXPECT_EQ(verdict(ended(SIGKILL)).reason, KillReason::kNone);
}

TEST(Verdict, TimeoutHasItsOwnExitCode) {
  Outcome outcome;
  outcome.cut = KillReason::kTimeout;
  const auto record = verdict(outcome);
  EXPECT_EQ(record.status, Status::kTimeout);
  EXPECT_EQ(record.exit_code, kExitTimeout);
  EXPECT_TRUE(record.killed());
}

TEST(Verdict, ALimitThatWasHitAndSurvivedIsAViolation) {
  auto outcome = ended(0);
  outcome.forks_refused = 1;
  const auto record = verdict(outcome);
  EXPECT_EQ(record.status, Status::kCompleted);
  ASSERT_EQ(record.violations.size(), 1U);
  EXPECT_EQ(record.violations[0].type, "process_limit");
}

}  // namespace
}  // namespace langsbx::execute
