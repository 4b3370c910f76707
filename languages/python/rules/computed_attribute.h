// python-computed-attribute: asks for an attribute by a name that is computed: ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kDynamicAttribute = {
    "python-computed-attribute",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "asks for an attribute by a name that is computed: {}",
    "A name that is put together while the program runs can be any name, __globals__ and "
    "system among them. A literal name is judged as if it stood behind a dot.",
    "Write the attribute, or use a dictionary."};

}  // namespace langsbx::languages::python
