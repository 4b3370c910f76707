// What `langsbx execute` is asked to do, and the record of what happened.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "languages/finding.h"
#include "runtime/egress/allow_list.h"
#include "runtime/explain/tracer.h"
#include "runtime/kernel/unique_fd.h"

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

// What the command line said, in the order of limits.h's table; absent: the preset's and the
// profile's.
inline constexpr std::size_t kLimitCount = 8;
using LimitOptions = std::array<std::optional<std::uint64_t>, kLimitCount>;

// How a program is kept, from the weakest to the strongest.
enum class Tier {
  kOff,        // guard, limits and nothing else; by name only
  kLight,      // Landlock, seccomp and limits on the host's own file system; no namespaces
  kContainer,  // namespaces and cgroup, too
  kMaximum     // behind another OCI runtime that isolates more, such as runsc
};

// What became of --isolation, and why.
struct Isolation {
  Tier tier = Tier::kContainer;
  std::string reason;
};

// What of the network the program sees.
enum class Network {
  kNone,   // nothing
  kProxy,  // a proxy that lets it reach the hosts of a list
  kHost    // the host's
};

// A file that the program finds in its work directory.
struct Input {
  std::string name;  // "a.txt", "packages/a.py"
  std::string content;
  mode_t mode = 0644;
};

class Events;

struct Request {
  std::string id;
  std::string file;    // for findings and for the name inside
  std::string source;  // the bytes that are judged and run
  // Other files of the program are taken from below this folder of the host; empty: inputs alone.
  std::string folder;  // absolute, with its '/' at the end
  std::string here;    // the folder that `file` is seen from, with its '/'
  std::string top;     // what the work directory stands for; empty: the folder of `file`
  std::string language;
  std::string profile = "default";
  std::string preset;  // empty: "default", but limits of a profile that was chosen count
  LimitOptions limits;
  LimitOptions ceilings;  // nothing that is asked for goes above them
  std::vector<std::string> args;
  std::vector<std::string> env;
  std::vector<Input> inputs;
  std::vector<std::string> artifacts;  // patterns of names in the work directory
  std::string setup;  // a shell command that runs first, with the network, in the work directory
  std::optional<Network> network;     // else the profile's
  egress::AllowList allowed_hosts;    // of the proxy
  std::vector<std::string> warnings;  // for the record: what the caller should know
  bool only_judge = false;            // the guard's word is all that is wanted
  bool use_cache = true;              // of compiled programs
  bool explain = false;               // list what the confinement refused, and why (slow)
  bool keep = false;                  // the work directory's files come back in the record
  bool tty = false;                   // the program's streams are a terminal of its own
  bool capture = false;               // keep the streams for the record instead of passing them on
  int stdin_fd = 0;                   // what the program reads
  std::string isolation = "auto";     // or a Tier's name
  std::string oci_runtime;            // of the maximum tier; empty: found on the host
  std::string rootfs;                 // interpreters and compilers come from here; empty: the host
  bool landlock_required = false;     // by --landlock or the administrator: whole, or no run
  std::string state_root;             // compiled filters and programs are kept below it
  Events* events = nullptr;           // not ours; nullptr: nobody listens
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

// A regular file that the program left in its work directory.
struct Artifact {
  std::string name;  // "a.txt", "packages/a.py"
  std::uint64_t size = 0;
  mode_t mode = 0644;
};

// The directory itself, when the program has ended; gone with the last who holds it.
struct WorkDirectory {
  UniqueFd directory;
  std::shared_ptr<const void> owner;  // removes it from the host; none in a container
};

// Files that were asked for and did not come back.
struct LeftOut {
  struct File {
    std::string name, reason;
  };
  std::vector<File> files;  // the first of them
  std::uint64_t count = 0;  // all
  void add(std::string name, std::string reason);
  void add(LeftOut more);
};

struct Phases {
  std::uint64_t guard_us = 0;    // judging the source
  std::uint64_t setup_us = 0;    // making the sandbox
  std::uint64_t prepare_ms = 0;  // the command of --setup
  std::uint64_t compile_ms = 0;
  std::uint64_t run_ms = 0;
  bool compile_cached = false;
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
  bool interrupted = false;  // by a signal to us
  timespec start{}, end{};
  std::uint64_t duration_ms = 0;
  KillReason reason = KillReason::kNone;
  languages::Report guard;   // findings
  std::vector<Input> texts;  // of the program's other files, by the names that findings have
  std::vector<Violation> violations;
  std::vector<std::string> warnings;
  std::optional<std::vector<explain::Denial>> refused;  // of --explain
  Usage usage;
  Limits limits;
  Enforced enforced;
  Isolation isolation;
  WorkDirectory work;
  std::vector<Artifact> artifacts;
  std::vector<Artifact> kept;  // the whole work directory, when it was asked for
  LeftOut left_out;
  std::string kept_directory;  // where the caller put it
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
