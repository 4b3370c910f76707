// python-frame-attribute: reaches frames or code objects through ...
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kFrameAttribute = {
    "python-frame-attribute",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "reaches frames or code objects through {}",
    "Generators, coroutines, tracebacks and the errors that were caught keep frames and "
    "objects alive; a frame holds every name of its caller, the builtins among them.",
    "Use traceback.format_exc() to print an error."};

}  // namespace langsbx::languages::python
