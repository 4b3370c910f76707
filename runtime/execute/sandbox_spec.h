// The sandbox as a value: an OCI configuration made in memory, and the files of its root.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "languages/profile.h"
#include "oci/spec.h"
#include "runtime/confine/landlock.h"
#include "runtime/execute/request.h"
#include "runtime/execute/toolchain.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::execute {

// What --setup left.
struct Prepared {
  WorkDirectory work;
  std::vector<Artifact> files;
};

// What the sandbox's own folders begin with. A folder comes before what is in it.
struct Placed {
  enum class Kind : std::uint8_t { kFile, kFolder, kLink };
  std::string path;     // absolute, below one of the places
  std::string content;  // of a link: where it leads
  mode_t mode = 0444;
  Kind kind = Kind::kFile;
  bool fixed = true;  // the program may not change, move or remove it
};

// One program to be run: an interpreter with the source, a compiler, or what it made.
struct Program {
  std::string id;
  Tier tier = Tier::kContainer;
  const Toolchain* toolchain = nullptr;
  std::string tool;  // where the toolchain's program is
  Limits limits;
  std::vector<std::string> args;
  std::vector<std::string> env;  // beside PATH, HOME, TMPDIR and LANG
  std::string base;              // of the light tier's folders
  Places places;
  std::string cwd;            // where it starts; empty: the work directory
  std::string source;         // the one of the files that is started or compiled
  std::vector<Placed> files;  // in both places
  // What the program's own files take in the work directory, beside the limit of it.
  std::uint64_t own_bytes = 0;
  std::uint64_t own_files = 0;
  std::shared_ptr<const Prepared> prepared;  // copied to the work directory, too
  std::string seccomp;                       // name of a shipped profile
  confine::LandlockProgram landlock;
  std::string rootfs;  // where /usr and its like come from; empty: the host
  Network network = Network::kNone;
  const egress::AllowList* allowed_hosts = nullptr;  // of the proxy
  bool is_tool = false;            // a compiler, or the caller's own --setup; not what is judged
  bool landlock_required = false;  // whole, or nothing is run
  bool rootless = false;
  bool has_cgroup = false;        // else memory is counted by the supervisor
  bool wants_exact_cpus = false;  // asked for by the caller; a default may be rounded up
  // Of the same user, beside the program's: a cgroup refuses before RLIMIT_NPROC does.
  std::uint64_t processes_before = 16;
  uid_t uid = 0;  // inside
  gid_t gid = 0;
};

[[nodiscard]] bool is_below(std::string_view path, const std::string& folder);
[[nodiscard]] inline std::uint64_t work_bytes(const Program& program) {
  return program.limits.disk + program.own_bytes;
}
[[nodiscard]] inline std::uint64_t without_own(const Program& program, std::uint64_t bytes) {
  return bytes - std::min(bytes, program.own_bytes);
}
// Whether files of the work directory are to be kept from the program.
[[nodiscard]] bool fixes_work(const Program& program);

oci::Spec sandbox_spec(const Program& program);
oci::Process sandbox_process(const Program& program);
// Links of the root, /etc and the program's own files.
std::vector<plan::FileStep> sandbox_files(const Program& program);
// The tight layer: what the profile names, the folders of the sandbox, and of what can be executed
// the program itself with its ELF loader, and a shell's commands.
Result<confine::LandlockProgram> program_landlock(const languages::Profile& profile,
                                                  const Program& program);
// For a compiler: what it is made of is executed, libraries and headers are read.
Result<confine::LandlockProgram> compiler_landlock(const Program& program);
// For the command of --setup: all of /usr, nothing else but the work directory.
confine::LandlockProgram tool_landlock(const Places& places, Tier tier, Network network);

}  // namespace langsbx::execute
