// The three Landlock system calls. Rights and policy: runtime/confine/landlock*.h.
#pragma once

#include <cstdint>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx {

// The kernel's ABI; 0 when it has no Landlock for us: not built in, not in the lsm= list, or an
// outer filter refuses the call. Any other failure leaves it open, and is an error.
Result<int> ask_landlock_abi();
// To tell a person: an error counts as none.
int landlock_abi();
// Fixed errata, a bit mask (since ABI 7's kernels); 0 when the kernel can't say.
std::uint32_t landlock_errata();

struct LandlockRuleset {
  std::uint64_t handled_fs = 0;
  std::uint64_t handled_net = 0;
  std::uint64_t scoped = 0;
};

// restrict_self flags: audit records for what the process executes (ABI 7), every thread of the
// process (ABI 8), no_new_privs by the same call (ABI 11).
inline constexpr std::uint32_t kLandlockLogNewExecOn = 1U << 1U;
inline constexpr std::uint32_t kLandlockAllThreads = 1U << 3U;
inline constexpr std::uint32_t kLandlockNoNewPrivs = 1U << 4U;

// Passes only as much of the structure as `abi` knows, so that an older kernel isn't asked for
// zeros.
Result<UniqueFd> landlock_create_ruleset(const LandlockRuleset& ruleset, int abi);
Result<void> landlock_allow_beneath(int ruleset, int parent, std::uint64_t access);
Result<void> landlock_allow_port(int ruleset, std::uint64_t port, std::uint64_t access);
Result<void> landlock_restrict_self(int ruleset, std::uint32_t flags);

}  // namespace langsbx
