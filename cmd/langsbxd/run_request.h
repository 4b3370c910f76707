// From what a caller asks for to the document that `langsbx execute --request` reads: checked
// against what the caller's key allows, with its ceilings put in.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cmd/langsbxd/keys.h"
#include "runtime/base/result.h"

namespace langsbx::serve {

// Members of the native interface that are the service's, not execute's.
struct RunRequest {
  nlohmann::json document;                            // for execute
  std::optional<std::chrono::milliseconds> deadline;  // from now, waiting included
  bool wants_files = false;                           // that the program leaves come back
};

// An error is the caller's fault (kInvalidInput) or not allowed for the key (kRefused); it names
// the member.
Result<RunRequest> make_run_request(nlohmann::json document, const Allowed& allowed);

}  // namespace langsbx::serve
