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

// One program to be run: an interpreter with the source, a compiler, or what it made.
struct Program {
  std::string id;
  const Toolchain* toolchain = nullptr;
  Limits limits;
  std::vector<std::string> args;
  std::vector<std::string> env;  // beside PATH, HOME, TMPDIR and LANG
  std::vector<plan::FileStep> files;
  std::string seccomp;  // name of a shipped profile
  confine::LandlockProgram landlock;
  bool host_network = false;
  bool rootless = false;
  bool has_cgroup = false;  // else memory is limited process by process
  uid_t uid = 0;            // inside
};

oci::Spec sandbox_spec(const Program& program);
// Links of the root, /etc and the program's own files.
std::vector<plan::FileStep> sandbox_files(const Program& program);
// The tight layer: what the profile names, and the folders of the sandbox.
confine::LandlockProgram program_landlock(const languages::Profile& profile,
                                          const Toolchain& toolchain, bool host_network);
// For the compiler: all of the host's /usr, nothing else but the work directory.
confine::LandlockProgram compiler_landlock();

}  // namespace langsbx::execute
