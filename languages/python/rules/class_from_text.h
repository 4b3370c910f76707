// python-class-from-text: makes a class from names that are computed
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kClassFromText = {
    "python-class-from-text",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "makes a class from names that are computed",
    "type(name, bases, namespace) defines special names that stand nowhere in the source, "
    "so that patterns and lookups can be steered to any attribute.",
    "Write the class statement, or use dataclasses.make_dataclass or "
    "collections.namedtuple."};

}  // namespace langsbx::languages::python
