// From the runtime's process to the container's program: the last steps, shared by init and exec.
//
// The order is the security argument, and each step needs the proof of the one before:
//   Rooted -> Unprivileged -> Cleared -> Confined -> execve
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/guard/gate.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// The root is the container's and the old one is out of reach.
class Rooted {
 public:
  // Call after enter_rootfs, with what the root is open on if that still shows all mounts in it; or
  // after setns.
  static Rooted entered(UniqueFd root = {}) { return Rooted(std::move(root)); }
  // The root stays the host's: Landlock alone keeps the program from it (execute's light tier), or
  // nothing does (its off tier).
  static Rooted host() { return Rooted({}); }

  UniqueFd release() { return std::move(root_); }

 private:
  explicit Rooted(UniqueFd root) : root_(std::move(root)) {}
  UniqueFd root_;
};

// Ids, groups and capabilities are the program's; verified by reading them back.
struct Unprivileged {
  std::string executable;
  std::vector<std::string> env;
  UniqueFd root;  // what Rooted had
};
// A missing working directory is made below `root`, as runc does; before the root becomes
// read-only.
Result<void> make_working_directory(int root, const std::string& cwd);

// `procfs`: the host's /proc, where the result is read back; -1: /proc is the host's.
Result<Unprivileged> drop_privileges(Rooted rooted, const plan::ProgramPlan& program,
                                     int procfs = -1);

// The guard has judged the source, or had nothing to judge.
struct Cleared {
  Unprivileged identity;
  std::vector<std::string> programs;  // what may be executed under a guard profile's Landlock layer
};
Result<Cleared> clear_program(Unprivileged identity, const plan::ProgramPlan& program,
                              const guard::Gate* gate);

// Landlock, no_new_privs, labels and seccomp are in force.
struct Confined {
  Unprivileged identity;
};
Result<Confined> confine_program(Cleared cleared, const plan::ProgramPlan& program, int procfs,
                                 int seccomp_socket);

// In a startContainer hook's own process: no_new_privs, labels, Landlock's container layer and
// linux.seccomp, as other runtimes do. The tight layer, the guard's filter and limits are the
// program's alone. A call that the profile would ask its agent about gets ENOSYS: the one listener
// is the program's.
Result<void> confine_hook(const plan::ProgramPlan& program, int procfs);

// Returns only when the program could not be executed.
Error execute(const Confined& confined, const plan::ProgramPlan& program);

// Mask and dispositions as a new program expects them. Handlers end with execve, but what is
// `ignored` (bit n-1: signal n) would stay so; drop_privileges sees to that, too.
Result<void> unblock_signals();
Result<void> attend_to_signals(std::uint64_t ignored);

}  // namespace langsbx::runtime
