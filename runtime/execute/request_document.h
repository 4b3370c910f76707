// What to run as one JSON document, for programs that call langsbx: execute --request reads it, and
// the service checks it before a run waits. Members: the schema Run of cmd/langsbxd/openapi.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::execute {

// Into `request`. What the program reads as its stdin, if the document has it, lies in `stdin_file`
// until the run has ended; nullptr: the document is only checked. An error names the member.
Result<void> take_request(const nlohmann::json& document, Request& request, UniqueFd* stdin_file);
// The same from its text.
Result<void> read_request(std::string_view text, Request& request, UniqueFd& stdin_file);

}  // namespace langsbx::execute
