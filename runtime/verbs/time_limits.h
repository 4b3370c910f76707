// A guarded container's wall and processor time: a process of the host's that watches and ends it.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/launch/opened.h"

namespace langsbx::runtime {

// Starts the watcher when the record asks for one. It holds none of the caller's descriptors, ends
// with the container's init, and says in guard.jsonl why it ended the container.
Result<void> watch_time(const Context& context, const Opened& opened);

}  // namespace langsbx::runtime
