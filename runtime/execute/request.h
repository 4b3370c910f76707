// What `langsbx execute` is asked to do, and the record of what happened.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "languages/finding.h"

namespace langsbx::execute {

struct Limits {
  std::uint64_t cpu_time_ms = 0;
  std::uint64_t wall_time_ms = 0;
  std::uint64_t cpus_milli = 0;  // thousandths of a processor
  std::uint64_t memory = 0;      // bytes
  std::uint64_t pids = 0;        // processes and threads
  std::uint64_t files = 0;       // open files
  std::uint64_t disk = 0;        // bytes in the work directory
  std::uint64_t output = 0;      // bytes of stdout and stderr together
};

// What the command line said; absent: the preset's and the profile's.
struct LimitOptions {
  std::optional<std::uint64_t> cpu_time_ms, wall_time_ms, cpus_milli, memory, pids, files, disk,
      output;
};

// A file that the program finds in its work directory.
struct Input {
  std::string name;
  std::string content;
};

struct Request {
  std::string id;
  std::string file;    // for findings and for the name inside
  std::string source;  // the bytes that are judged and run
  std::string language;
  std::string profile = "default";
  std::string preset = "default";
  LimitOptions limits;
  std::vector<std::string> args;
  std::vector<std::string> env;
  std::vector<Input> inputs;
  std::vector<std::string> artifacts;  // patterns of names in the work directory
  bool host_network = false;
  bool capture = false;    // keep the streams for the record instead of passing them on
  int stdin_fd = 0;        // what the program reads
  std::string state_root;  // compiled filters are kept below it
};

enum class Status { kCompleted, kFailed, kRejected, kCompileError, kTimeout, kKilled };
enum class KillReason {
  kNone,
  kTimeout,
  kMemory,
  kCpu,
  kDisk,
  kOutput,
  kProcesses,
  kSecurity,
  kManual
};

struct Usage {
  std::uint64_t cpu_time_ns = 0, user_ns = 0, system_ns = 0, memory_peak = 0, io_read = 0,
                io_write = 0, pids_peak = 0, disk = 0, output = 0;
};

struct Enforced {
  std::string landlock = "none";  // "container+program, ABI 6"
  std::string seccomp = "none";   // the profile's name
  std::string cgroup = "none";    // "memory pids cpu"
  std::vector<std::string> namespaces;
  bool no_new_privs = false;
};

struct Artifact {
  std::string name;
  std::string content;
};

struct Phases {
  std::uint64_t guard_us = 0, setup_us = 0, compile_ms = 0, run_ms = 0;
};

// One event of the run that broke a limit or a rule.
struct Violation {
  std::string type;  // "memory_limit", "guard", ...
  std::string message;
};

struct Record {
  std::string id, language, profile;
  Status status = Status::kFailed;
  int exit_code = 0;  // what langsbx itself ends with
  int signal = 0;     // 0: the program ended by itself
  std::string out, err;
  bool truncated = false;
  timespec start{}, end{};
  std::uint64_t duration_ms = 0;
  KillReason reason = KillReason::kNone;
  languages::Report guard;  // findings
  std::vector<Violation> violations;
  std::vector<std::string> warnings;
  Usage usage;
  Limits limits;
  Enforced enforced;
  std::vector<Artifact> artifacts;
  Phases phases;
  [[nodiscard]] bool killed() const {
    return status == Status::kKilled || status == Status::kTimeout;
  }
};

// Exit statuses of langsbx execute beside the program's own.
inline constexpr int kExitTimeout = 124;
inline constexpr int kExitFault = 125;
inline constexpr int kExitRefused = 126;
inline constexpr int kExitNotFound = 127;

}  // namespace langsbx::execute
