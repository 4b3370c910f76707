// The language guard's place in a launch: after the privileges are gone, before execve.
#pragma once

#include <string>
#include <vector>

#include "languages/profile.h"
#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::guard {

// Made in the parent from profile and policy; asked once inside the container.
class Gate {
 public:
  virtual ~Gate() = default;
  // In the parent, before the clone: the verdict will be added to guard.jsonl there.
  virtual Result<void> record_into(int state_directory) = 0;
  // For the record of the container: what `exec` may not loosen.
  [[nodiscard]] virtual std::string settings() const = 0;
  // The limits of an enforced profile; empty when observing.
  [[nodiscard]] virtual const languages::Limits& limits() const = 0;
  // In the child, inside the container's root and still with its root's privileges: fixes the
  // source, so that what is judged later is what runs. Does nothing when only observing. `procfs`
  // is the host's /proc.
  virtual Result<void> pin(const plan::ProgramPlan& program, int procfs) const = 0;
  // kRefused with the findings as text when the program may not run. May change the environment
  // (variables that would run code nobody judged).
  virtual Result<void> judge(const std::string& executable, const std::vector<std::string>& args,
                             const std::string& cwd, std::vector<std::string>& env) const = 0;
};

inline constexpr const char* kVerdictFile = "guard.jsonl";  // one JSON object a judgement

}  // namespace langsbx::guard
