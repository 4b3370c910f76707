// A small process 1 for programs that don't expect to be one: it reaps orphans, passes signals of
// the supervisor on, and reports how the program ended.
#pragma once

#include <sys/resource.h>

#include <functional>

#include "runtime/base/result.h"

namespace langsbx::runtime {

// What is written to the report pipe when the program ended.
struct ProgramEnd {
  int wait_status = 0;
  int error = 0;   // errno: process 1 could not look after the program, whose end nobody knows
  rusage usage{};  // of the program and all descendants that were waited for
};

// Runs `body` (which ends in execve) in a child and stays behind as process 1 of the namespace. It
// dies with the thread that made it, and with it the whole pid namespace. To be called when
// privileges are gone: a change of ids would undo the parent death signal. `failed` tells why there
// is no such child, or why it was ended at once.
[[noreturn]] void reap_for(int report, const std::function<int()>& body,
                           const std::function<void(Error)>& failed);

}  // namespace langsbx::runtime
