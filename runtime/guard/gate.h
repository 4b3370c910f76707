// The language guard's place in a launch: after the privileges are gone, before execve.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::guard {

// Made in the parent from profile and policy; asked once inside the container.
class Gate {
 public:
  virtual ~Gate() = default;
  // kRefused with the findings as text when the program may not run. May change the environment
  // (variables that would run code nobody judged).
  virtual Result<void> judge(const std::string& executable, const std::vector<std::string>& args,
                             const std::string& cwd, std::vector<std::string>& env) const = 0;
};

}  // namespace langsbx::guard
