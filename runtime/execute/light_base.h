// Where the folders of the light tier and kept images lie: a host directory of this user's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::execute {

// <TMPDIR or /tmp>/langsbx-execute-<uid>: images and what is kept for later runs lie there; made
// where it is missing, ours alone. Where somebody else took that name: a directory of ours beside
// it, "-" and six characters longer, the same one the next time.
Result<std::string> private_base();
// The directory of the runs of this user whose work takes `disk` bytes: the same, or one in memory
// where no TMPDIR is named and there is room, as making and removing folders on a disk waits for
// its journal.
Result<std::string> light_base(std::uint64_t disk);
// Refused when it is not ours, or others may write there; made where it is missing.
Result<UniqueFd> open_base(const std::string& path);
// Those that are there already.
std::vector<UniqueFd> open_bases();

}  // namespace langsbx::execute
