// Calls by their number, for the few who may not go through the C library.
#pragma once

#include <ctime>

namespace langsbx {

// For a thread that shares another's thread-local storage: no cancellation point, no clean-up.
void sleep_barely(const timespec& time);
[[noreturn]] void end_thread();

// errno of the call with a first argument that it refuses: ENOSYS tells that the kernel has none.
int errno_of_call(long number);

}  // namespace langsbx
