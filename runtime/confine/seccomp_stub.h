// What stands before libseccomp's program: the calls that are judged by their arguments, and
// answers for those that it does not know.
//
// A profile written for an older kernel can't name newer calls. Its default (EPERM) would make the
// C library give up where ENOSYS would make it fall back (clone3 -> clone, faccessat2 ->
// faccessat). So a number above the newest call that the profile names gets -ENOSYS, per
// architecture.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/confine/seccomp_judge.h"

namespace langsbx::confine {

struct JudgedCall {
  std::string name;
  std::vector<std::uint32_t> numbers;  // x32 has another one
  std::vector<sock_filter> judge;      // never falls through
};

// A call that carries others (socketcall, ipc): what no rule holds for is libseccomp's to judge.
struct JudgedDoor {
  std::uint32_t number = 0;
  CallRule rule;
};

struct StubArchitecture {
  std::uint32_t audit_arch = 0;  // AUDIT_ARCH_*
  bool is_x86_64 = false;        // shares its value with x32, whose numbers have bit 30 set
  std::uint32_t newest = 0;      // highest number the profile names; 0: no ENOSYS for this one
  std::vector<JudgedCall> calls;
  std::vector<JudgedDoor> doors;
};

std::vector<sock_filter> make_stub(const std::vector<StubArchitecture>& architectures);

}  // namespace langsbx::confine
