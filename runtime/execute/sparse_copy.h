// Bytes from file to file; what nobody wrote stays a hole, and nothing is held in memory.
#pragma once

#include <cstdint>

#include "runtime/base/result.h"

namespace langsbx::execute {

// The first `size` bytes; `to` is new and as large afterwards.
Result<void> copy_with_holes(int from, int to, std::uint64_t size);

// Whether both begin with the same `size` bytes.
Result<bool> same_bytes(int left, int right, std::uint64_t size);

}  // namespace langsbx::execute
