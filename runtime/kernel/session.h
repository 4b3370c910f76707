// What a process says of itself to the kernel, each call checked: sessions, tracing, orphans.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace langsbx {

// A session and process group of its own, without a terminal.
Result<void> start_session();
// Nobody without CAP_SYS_PTRACE may trace this process or read its entries in /proc.
Result<void> become_undumpable();
// Under Yama, whoever may trace it otherwise need not be an ancestor; `false` takes that back.
// Without Yama nothing has to be allowed.
Result<void> allow_any_tracer(bool allowed);
// A keyring of its own of that name.
Result<void> join_new_keyring(const std::string& name);
// Orphans among its descendants become its children.
Result<void> adopt_orphans();

}  // namespace langsbx
