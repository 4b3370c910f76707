// A line for each call, as auditors read it: OCSF, class "API Activity". No key, path of a file or
// source is in it.
#pragma once

#include <string>
#include <string_view>

#include "cmd/langsbxd/call.h"
#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::serve {

class Audit {
 public:
  // No file: nothing is written.
  static Result<Audit> open(const std::string& path);
  // Appended whole. The service says each line that could not be written, and goes on.
  Result<void> write(const Call& call, std::string_view route, unsigned status,
                     std::string_view peer) const;

 private:
  UniqueFd file_;
};

// The line; for tests.
Json audit_event(const Call& call, std::string_view route, unsigned status, std::string_view peer);

}  // namespace langsbx::serve
