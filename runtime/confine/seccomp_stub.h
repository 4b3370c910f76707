// What stands before libseccomp's program: answers for system calls that it does not know.
//
// A profile written for an older kernel can't name newer calls. Its default (EPERM) would make the
// C library give up where ENOSYS would make it fall back (clone3 -> clone, faccessat2 ->
// faccessat). So a number above the newest call that the profile names gets -ENOSYS, per
// architecture.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace langsbx::confine {

struct StubArchitecture {
  std::uint32_t audit_arch = 0;  // AUDIT_ARCH_*
  bool is_x86_64 = false;        // shares its value with x32, whose numbers have bit 30 set
  std::uint32_t newest = 0;      // highest number the profile names; 0: no ENOSYS for this one
};

// A call that libseccomp has no name for, with its answer; the number is the same everywhere.
struct StubAnswer {
  std::uint32_t number = 0;
  std::uint32_t answer = 0;  // SECCOMP_RET_*
};

std::vector<sock_filter> make_stub(const std::vector<StubArchitecture>& architectures,
                                   const std::vector<StubAnswer>& answers);

}  // namespace langsbx::confine
