// Masked and read-only paths.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/isolate/rootfs.h"
#include "runtime/isolate/used.h"

namespace langsbx::isolate {

// Before the root is entered, since the host's /dev/null is the one that masks files: the
// container's may be anything (CVE-2025-31133). Missing paths are skipped, as clients expect.
Result<void> apply_masks(const std::vector<std::string>& masked,
                         const std::vector<std::string>& readonly, const Rootfs& rootfs,
                         Used& used);

}  // namespace langsbx::isolate
