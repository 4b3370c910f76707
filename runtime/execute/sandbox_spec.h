// The sandbox as a value: an OCI configuration made in memory, and the files of its root.
#pragma once

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
  plan::FileStep source;                     // below places.source
  plan::FileStep startup;                    // there, too; without a path: none
  std::vector<Input> inputs;                 // for the work directory
  std::shared_ptr<const Prepared> prepared;  // copied there, too
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
