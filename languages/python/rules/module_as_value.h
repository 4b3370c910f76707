// python-module-as-value: hands the module ... around as a value
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kModuleAsValue = {
    "python-module-as-value",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "hands the module {} around as a value",
    "Under another name, in a list or as an argument the module's members can no longer "
    "be followed. A plain `alias = module` is understood.",
    "Call the function you need where you are, or pass that function."};

}  // namespace langsbx::languages::python
