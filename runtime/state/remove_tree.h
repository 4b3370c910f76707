// Deletes what is in a directory, never following a symbolic link.
#pragma once

#include "runtime/base/result.h"

namespace langsbx::state {

// Everything below the directory; entries that vanish meanwhile are no error. Refuses trees
// deeper than 32 levels.
Result<void> remove_contents(int directory);

}  // namespace langsbx::state
