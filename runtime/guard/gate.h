// The language guard's place in a launch: after the privileges are gone, before execve.
#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "languages/profile.h"
#include "runtime/base/result.h"
#include "runtime/guard/verdict_log.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::guard {

// The confinement that fits what was judged.
struct Fitted {
  confine::LandlockPlan landlock;
  confine::SeccompPlan seccomp;
};

// Made in the parent from profile and policy; asked once inside the container.
class Gate {
 public:
  virtual ~Gate() = default;
  // In the parent, before the clone: the verdict will be added to guard.jsonl there, and to the log
  // of verdicts; to the user's own when `user`.
  virtual Result<void> record_into(int state_directory, const VerdictFacts& facts, bool user) = 0;
  // In the child, before it waits for `start`: what record_into() opened is closed.
  virtual void stop_recording() = 0;
  // In the child, told to start: what open_records() gave, in its order.
  virtual Result<void> resume_recording(std::vector<UniqueFd> records) = 0;
  // For the record of the container: what `exec` may not loosen.
  [[nodiscard]] virtual std::string settings() const = 0;
  // The limits of an enforced profile; empty when observing.
  [[nodiscard]] virtual const languages::Limits& limits() const = 0;
  // In the child, inside the container's root and still with its root's privileges: fixes the
  // source, so that what is judged later is what runs. Does nothing when only observing. `procfs`
  // is the host's /proc.
  virtual Result<void> pin(const plan::ProgramPlan& program, int procfs) const = 0;
  // At `create`, in the child without its privileges: kRefused when the pinned source may not run.
  // A client that is refused here has nothing to clean up. judge() has the last word all the same.
  virtual Result<void> foresee(const std::string& executable, const std::vector<std::string>& args,
                               const std::string& cwd,
                               const std::vector<std::string>& env) const = 0;
  // In the child, behind judge(): another confinement where the planned one does not fit what was
  // judged. A program of `exec` may be let through: without the container's program layer and
  // what the profile says of sockets.
  [[nodiscard]] virtual std::optional<Fitted> fit(const plan::ProgramPlan& planned) const = 0;
  // kRefused with the findings as text when the program may not run. May change the environment
  // (variables that would run code nobody judged). Gives what Landlock's program layer lets be
  // executed.
  virtual Result<confine::LandlockPrograms> judge(const std::string& executable,
                                                  const std::vector<std::string>& args,
                                                  const std::string& cwd,
                                                  std::vector<std::string>& env) const = 0;
};

// Who judges a launch. There is no default: whoever starts a program says which of these holds.
class Judge {  // this gate, in the container
 public:
  explicit Judge(std::unique_ptr<Gate> gate) : gate_(std::move(gate)) { assert(gate_ != nullptr); }
  Gate* operator->() const { return gate_.get(); }

 private:
  std::unique_ptr<Gate> gate_;
};
// The parent judges the source itself, and starts nothing that it refuses (execute).
struct JudgedByParent {};
// Nobody: there is nothing to judge, or nobody asked for it.
struct Nothing {
  std::string reason;
};
using GuardPlan = std::variant<Judge, JudgedByParent, Nothing>;

inline constexpr const char* kVerdictFile = "guard.jsonl";  // one JSON object a judgement

}  // namespace langsbx::guard
