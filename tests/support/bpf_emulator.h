// Asks a planned seccomp policy what the kernel would answer, and reads expectation tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/confine/seccomp.h"

namespace langsbx::test {

// One line of a table: "socket 38 3 0 -> EAFNOSUPPORT", "[x32] read -> KILL_THREAD".
struct Expectation {
  int line = 0;
  std::string architecture = "x86_64";  // x86_64, x86, x32, aarch64, arm
  std::string syscall;                  // a name, or a number for calls that have none
  std::vector<std::uint64_t> args;
  std::string answer;  // ALLOW, LOG, TRACE, NOTIFY, TRAP, KILL_THREAD, KILL_PROCESS or an errno
};

Result<std::vector<Expectation>> read_expectations(const std::string& path);
// The strictest answer of all filters, in the words of a table.
Result<std::string> answer_of(const confine::SeccompPlan& plan, const Expectation& call);

}  // namespace langsbx::test
