// python-unknown-module: imports ..., which is neither known nor a file of the program
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kUnknownModule = {
    "python-unknown-module",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "imports {}, which is neither known nor a file of the program",
    "What a package that nobody listed can do is unknown: any package can start programs "
    "or open sockets. Files of the program itself are judged with it.",
    "Put the file next to the program, or add the package to modules.additional in the "
    "profile."};

}  // namespace langsbx::languages::python
