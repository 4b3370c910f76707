// Files that a run left, on their way from the folder where `execute` put them into an answer.
#pragma once

#include <string>

#include "cmd/langsbxd/runner.h"

namespace langsbx::serve {

// Those that the record lists as artifacts, as long as they fit into an answer; what does not is
// said in the record's "left_out".
void take_result_files(const std::string& folder, RunResult& result);
// With all that is in it: regular files that langsbx wrote, no folders.
void remove_result_folder(const std::string& folder);

}  // namespace langsbx::serve
