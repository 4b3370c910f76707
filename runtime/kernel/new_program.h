// What a new process does on its way to becoming another program.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx {

// The signal that this process gets when `parent` dies; an error when it is dead already.
Result<void> die_with_parent(int signal, pid_t parent);
// By a pidfd or a file of /proc/PID/ns; `type` is a CLONE_NEW*.
Result<void> enter_namespace(int descriptor, int type);
// One call. libcap's way to it asks for each capability, and goes round for ever where a filter
// around us answers for the kernel.
Result<void> clear_ambient_capabilities();
// With our environment; returns only why the program could not be executed.
Error execute_program(const std::string& path, std::vector<std::string> words);

}  // namespace langsbx
