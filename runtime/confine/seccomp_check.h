// A finished filter beside the rules that it was made from.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/confine/seccomp_rules.h"

namespace langsbx::confine {

// Runs `program` on calls that are made from each rule (where it just holds, and where it just does
// not) for each architecture (SCMP_ARCH_*). The error names the rule whose answer got lost on the
// way through libseccomp and our own code: such a filter must not be loaded.
Result<void> check_filter(std::span<const sock_filter> program, const ProfileRules& rules,
                          const Verdict& by_default,
                          const std::vector<std::uint32_t>& architectures);

}  // namespace langsbx::confine
