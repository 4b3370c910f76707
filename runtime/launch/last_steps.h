// From the runtime's process to the container's program: the last steps, shared by init and exec.
//
// The order is the security argument. Each step takes the proof of the one before, which nothing
// but that step can make, and with it the plan that it was made under:
//   isolate::Isolated -> isolate::Rooted -> Unprivileged -> Cleared -> Confined -> execve
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/guard/gate.h"
#include "runtime/isolate/rooted.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

class Cleared;
class Confined;

// Proof: ids, groups and capabilities are the program's; verified by reading them back.
class Unprivileged {
 public:
  Unprivileged(Unprivileged&&) noexcept = default;
  Unprivileged& operator=(Unprivileged&&) noexcept = default;
  [[nodiscard]] const plan::ProgramPlan& program() const { return *program_; }
  [[nodiscard]] const std::string& executable() const { return executable_; }
  [[nodiscard]] const std::vector<std::string>& env() const { return env_; }

 private:
  friend Result<Unprivileged> drop_privileges(isolate::Rooted rooted, int procfs);
  friend Result<Cleared> clear_program(Unprivileged identity, const guard::GuardPlan& guard);
  friend Result<Confined> confine_program(Cleared cleared, int procfs, int seccomp_socket);
  friend Error execute(const Confined& confined);
  explicit Unprivileged(isolate::Rooted rooted)
      : program_(&rooted.program()), root_(rooted.take_root()) {}
  const plan::ProgramPlan* program_;
  UniqueFd root_;
  std::string executable_;
  std::vector<std::string> env_;
};
// A missing working directory is made below `root`, as runc does; before the root becomes
// read-only.
Result<void> make_working_directory(int root, const std::string& cwd);

// `procfs`: the host's /proc, where the result is read back; -1: /proc is the host's.
Result<Unprivileged> drop_privileges(isolate::Rooted rooted, int procfs = -1);

// Proof: the guard has let the program pass, as the guard plan says.
class Cleared {
 public:
  Cleared(Cleared&&) noexcept = default;
  Cleared& operator=(Cleared&&) noexcept = default;

 private:
  friend Result<Cleared> clear_program(Unprivileged identity, const guard::GuardPlan& guard);
  friend Result<Confined> confine_program(Cleared cleared, int procfs, int seccomp_socket);
  explicit Cleared(Unprivileged identity) : identity_(std::move(identity)) {}
  // What the guard found fitting for what it judged, or what is planned.
  [[nodiscard]] const confine::LandlockPlan& landlock() const {
    return fitted_ ? fitted_->landlock : identity_.program().landlock;
  }
  [[nodiscard]] const confine::SeccompPlan& seccomp() const {
    return fitted_ ? fitted_->seccomp : identity_.program().seccomp;
  }
  Unprivileged identity_;
  confine::LandlockPrograms programs_;
  std::optional<guard::Fitted> fitted_;
};
Result<Cleared> clear_program(Unprivileged identity, const guard::GuardPlan& guard);

// Proof: Landlock, no_new_privs, labels and seccomp are in force.
class Confined {
 public:
  Confined(Confined&&) noexcept = default;
  Confined& operator=(Confined&&) noexcept = default;

 private:
  friend Result<Confined> confine_program(Cleared cleared, int procfs, int seccomp_socket);
  friend Error execute(const Confined& confined);
  explicit Confined(Unprivileged identity) : identity_(std::move(identity)) {}
  Unprivileged identity_;
};
Result<Confined> confine_program(Cleared cleared, int procfs, int seccomp_socket);

// In a startContainer hook's own process: no_new_privs, labels, Landlock's container layer and
// linux.seccomp, as other runtimes do. The tight layer, the guard's filter and limits are the
// program's alone. A call that the profile would ask its agent about gets ENOSYS: the one listener
// is the program's.
Result<void> confine_hook(const plan::ProgramPlan& program, int procfs);

// Returns only when the program could not be executed.
Error execute(const Confined& confined);

// Mask and dispositions as a new program expects them. Handlers end with execve, but what is
// `ignored` (bit n-1: signal n) would stay so; drop_privileges sees to that, too.
Result<void> attend_to_signals(std::uint64_t ignored);

}  // namespace langsbx::runtime
