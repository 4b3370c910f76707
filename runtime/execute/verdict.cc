// From wait status and counters to a verdict.
#include "runtime/execute/verdict.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>

namespace langsbx::execute {
namespace {

// A signal that the kernel sends for one of our limits; kNone for a program's own death.
KillReason reason_of_signal(int signal, const Outcome& outcome, const Limits& limits) {
  switch (signal) {
    case SIGXCPU:
      return KillReason::kCpu;
    case SIGXFSZ:
      return KillReason::kDisk;
    case SIGSYS:
      return KillReason::kSecurity;
    case SIGKILL:
      if (outcome.oom) return KillReason::kMemory;
      // The hard limit of RLIMIT_CPU, for one that ignores SIGXCPU.
      if (outcome.usage.cpu_time_ns / 1'000'000 >= limits.cpu_time_ms) return KillReason::kCpu;
      return KillReason::kNone;
    default:
      return KillReason::kNone;
  }
}

std::string message_of(KillReason reason, const Limits& limits) {
  switch (reason) {
    case KillReason::kTimeout:
      return "ran longer than " + std::to_string(limits.wall_time_ms) + " ms";
    case KillReason::kMemory:
      return "needed more memory than " + std::to_string(limits.memory) + " bytes";
    case KillReason::kCpu:
      return "used more processor time than " + std::to_string(limits.cpu_time_ms) + " ms";
    case KillReason::kDisk:
      return "wrote more than " + std::to_string(limits.disk) + " bytes";
    case KillReason::kOutput:
      return "put out more than " + std::to_string(limits.output) + " bytes";
    case KillReason::kProcesses:
      return "needed more processes and threads than " + std::to_string(limits.pids);
    case KillReason::kSecurity:
      return "made a system call that the profile does not allow";
    case KillReason::kManual:
      return "ended by a signal to langsbx";
    case KillReason::kNone:
      break;
  }
  return {};
}

void add_violation(KillReason reason, const Limits& limits, Record& record) {
  for (const auto& known : record.violations) {
    if (known.type == to_string(reason)) return;
  }
  record.violations.push_back({std::string(to_string(reason)), message_of(reason, limits)});
}

void set_killed(KillReason reason, int signal, const Limits& limits, Record& record) {
  record.reason = reason;
  record.status = reason == KillReason::kTimeout ? Status::kTimeout : Status::kKilled;
  record.signal = signal;
  record.exit_code = reason == KillReason::kTimeout ? kExitTimeout : 128 + signal;
  if (reason != KillReason::kNone) add_violation(reason, limits, record);
}

void judge_end(const Outcome& outcome, const Limits& limits, Record& record) {
  const int status = outcome.end->wait_status;
  if (WIFEXITED(status)) {
    record.exit_code = WEXITSTATUS(status);
    record.status = record.exit_code == 0 ? Status::kCompleted : Status::kFailed;
    // Without a cgroup the kernel refuses memory instead of killing, and the program gives up.
    if (outcome.memory_passed && record.status == Status::kFailed) {
      record.reason = KillReason::kMemory;
      record.status = Status::kKilled;
    }
    return;
  }
  const int signal = WTERMSIG(status);
  const auto reason =
      outcome.memory_passed ? KillReason::kMemory : reason_of_signal(signal, outcome, limits);
  if (reason != KillReason::kNone) return set_killed(reason, signal, limits, record);
  record.status = Status::kFailed;  // its own fault: a crash, abort(), kill of itself
  record.signal = signal;
  record.exit_code = 128 + signal;
}

}  // namespace

void judge_outcome(const Outcome& outcome, const Limits& limits, Record& record) {
  record.truncated = outcome.truncated;
  record.interrupted = outcome.cut == KillReason::kManual;
  if (outcome.truncated && outcome.cut != KillReason::kOutput) {
    record.warnings.emplace_back("nobody read the output to its end; the rest is lost");
  }
  if (outcome.cut == KillReason::kManual && outcome.end) {
    judge_end(outcome, limits, record);
    if (WIFSIGNALED(outcome.end->wait_status)) {
      set_killed(KillReason::kManual, WTERMSIG(outcome.end->wait_status), limits, record);
    }
  } else if (outcome.cut != KillReason::kNone) {
    set_killed(outcome.cut, SIGKILL, limits, record);
  } else if (outcome.end) {
    judge_end(outcome, limits, record);
  } else {
    // Process 1 itself was killed: by the kernel for memory, or by somebody outside.
    set_killed(outcome.oom ? KillReason::kMemory : KillReason::kManual, SIGKILL, limits, record);
  }
  // Hit, but survived or handled by the program itself.
  if (outcome.oom || outcome.memory_passed) add_violation(KillReason::kMemory, limits, record);
  if (outcome.forks_refused > 0) add_violation(KillReason::kProcesses, limits, record);
  for (const auto& refused : outcome.hosts_refused) {
    record.violations.push_back({"network_refused", refused});
  }
  if (outcome.disk_full) add_violation(KillReason::kDisk, limits, record);
}

void judge_compiler(const Outcome& outcome, const Limits& limits, Record& record) {
  judge_outcome(outcome, limits, record);
  if (record.reason == KillReason::kOutput) {
    record.reason = KillReason::kNone;
    record.violations.clear();
    record.signal = 0;
    record.exit_code = 1;
    record.status = Status::kFailed;
  }
  if (record.status == Status::kFailed && outcome.oom) {
    return set_killed(KillReason::kMemory, SIGKILL, limits, record);
  }
  if (record.status != Status::kFailed && record.status != Status::kCompleted) return;
  record.status = Status::kCompileError;
  record.exit_code = std::max(record.exit_code, 1);
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kCompleted:
      return "completed";
    case Status::kFailed:
      return "failed";
    case Status::kRejected:
      return "rejected";
    case Status::kCompileError:
      return "compile_error";
    case Status::kTimeout:
      return "timeout";
    case Status::kKilled:
      return "killed";
  }
  return "failed";
}

std::string_view to_string(KillReason reason) {
  switch (reason) {
    case KillReason::kNone:
      return "";
    case KillReason::kTimeout:
      return "timeout";
    case KillReason::kMemory:
      return "memory_limit";
    case KillReason::kCpu:
      return "cpu_limit";
    case KillReason::kDisk:
      return "disk_limit";
    case KillReason::kOutput:
      return "output_limit";
    case KillReason::kProcesses:
      return "process_limit";
    case KillReason::kSecurity:
      return "security_violation";
    case KillReason::kManual:
      return "manual";
  }
  return "";
}

std::string_view event_source(std::string_view violation) {
  if (violation == to_string(KillReason::kProcesses)) return "processes";
  if (violation == to_string(KillReason::kSecurity)) return "seccomp";
  return violation.substr(0, violation.find('_'));
}

}  // namespace langsbx::execute
