// python-dynamic-code: runs text as code: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kDynamicCode = {
    "python-dynamic-code",
    FindingType::kBlockedFunction,
    Capability::kDynamicCode,
    Severity::kError,
    "runs text as code: {}",
    "What eval, exec, compile, __import__ and their kin run is made while the program "
    "runs and has been judged by nobody. Mentioning them is enough, because a mention can "
    "be called later.",
    "Use ast.literal_eval for data, a dictionary of functions for choices."};

}  // namespace langsbx::languages::python
