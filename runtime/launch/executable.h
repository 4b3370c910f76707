// Finding the program in the container and saying why it can't start.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::runtime {

// As a shell would: a name with a slash is a path, others are looked up in PATH of `env`. To be
// called inside the container as its user. The texts are those that clients turn into exit codes:
//   exec: "x": executable file not found in $PATH      exec: "/x": permission denied
Result<std::string> find_executable(const std::string& name, const std::vector<std::string>& env);

// After execve failed: a missing interpreter or ELF loader, another architecture, a carriage
// return in "#!" look like a missing file or a wrong format otherwise.
Error explain_exec_failure(const std::string& path, int errno_value);

// When the program is not there: crun's line before ours, as some look for that and others for
// ours.
Error with_line_of_crun(Error error, const std::string& name);

// HOME of `uid` in the container's /etc/passwd, "/" when it is not there.
std::string home_directory(unsigned uid);

}  // namespace langsbx::runtime
