// The recipe: language, guard, compile, run, record.
#pragma once

#include "runtime/base/result.h"
#include "runtime/execute/request.h"

namespace langsbx::execute {

// An error is langsbx's own fault or the host's (exit 125; kNotFound: 127); everything that the
// program did is in the record.
Result<Record> execute(const Request& request);

}  // namespace langsbx::execute
