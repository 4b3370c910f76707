// What a run's outcome means: status, true reason, exit code. Pure.
#pragma once

#include <string_view>

#include "runtime/execute/request.h"
#include "runtime/execute/watch.h"

namespace langsbx::execute {

// Fills status, reason, exit_code, signal and the violations of limits.
void judge_outcome(const Outcome& outcome, const Limits& limits, Record& record);

// The same for a compiler, which ends with an error of its own when one of its processes is killed,
// and whose messages are cut without a kill of its own. record.limits are the program's.
void judge_compiler(const Outcome& outcome, const Limits& limits, Record& record);

std::string_view to_string(Status status);
std::string_view to_string(KillReason reason);  // "" for kNone
// Which part noticed a violation of that type, for events: "memory_limit" -> "memory".
std::string_view event_source(std::string_view violation);

}  // namespace langsbx::execute
