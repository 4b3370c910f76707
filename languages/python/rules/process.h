// python-process: starts a program: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kProcess = {
    "python-process",
    FindingType::kSystemCall,
    Capability::kProcessSpawn,
    Severity::kError,
    "starts a program: {}",
    "A started program is judged by nobody: it does what its own code does, and a shell "
    "does what its text says.",
    "Do the work in the program itself."};

}  // namespace langsbx::languages::python
