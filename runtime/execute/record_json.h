// The record of a run as JSON and as one line for a person.
#pragma once

#include <string>

#include "runtime/execute/request.h"

namespace langsbx::execute {

std::string record_json(const Record& record);
// "completed in 12 ms (python, 9.1 MB)", with reasons; control characters escaped.
std::string record_summary(const Record& record);

}  // namespace langsbx::execute
