// Signals as the kernel sees them: the C library keeps two of the real-time ones to itself, and
// refuses to reset or unblock them.
#pragma once

#include "runtime/base/result.h"

namespace langsbx {

Result<void> unblock_all_signals();
// To what it does by default.
Result<void> reset_signal(int signal);

}  // namespace langsbx
