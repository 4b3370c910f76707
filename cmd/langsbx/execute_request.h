// execute --request: what to run as one JSON document, for programs that call langsbx.
// Members: the schema Run of cmd/langsbxd/openapi.json.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cmd {

// Reads the document from a file (a pipe or /proc/self/fd/N will do) into `request`. What the
// program reads as its stdin, if the document has it, lies in `stdin_file` until the run has ended.
// An error names the member.
Result<void> read_request(const std::string& path, execute::Request& request, UniqueFd& stdin_file);

}  // namespace langsbx::cmd
