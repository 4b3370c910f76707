// Closes what a process inherited and its program must not hold.
#pragma once

#include <vector>

#include "runtime/base/result.h"

namespace langsbx {

// Every descriptor from `first` on but those in `kept`.
Result<void> close_all_but(std::vector<int> kept, unsigned first = 0);

}  // namespace langsbx
