// The log that an OCI runtime writes with --log-format json: a line each, with a level and a text.
#pragma once

#include <string>
#include <string_view>

namespace langsbx::execute {

// The text of the first line that tells of a failure; empty when there is none.
std::string failure_in_log(std::string_view log);

// A line as the runtime would write it.
std::string failure_line(const std::string& text);

}  // namespace langsbx::execute
