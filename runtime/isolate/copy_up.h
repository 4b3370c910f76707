// tmpcopyup: what the directory held before a tmpfs was mounted over it.
#pragma once

#include "runtime/base/result.h"

namespace langsbx::isolate {

// Copies everything below `source` into `target` (both directory descriptors): files, directories,
// links, nodes, owners, modes and times. Nothing is followed.
Result<void> copy_tree(int source, int target);

}  // namespace langsbx::isolate
