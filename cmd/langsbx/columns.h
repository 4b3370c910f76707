// Text in columns, as Go's tabwriter lays runc's tables out.
#pragma once

#include <string>
#include <vector>

namespace langsbx::cmd {

// Each column is 3 wider than its widest cell, and 12 at least; the last is not padded.
std::string in_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace langsbx::cmd
