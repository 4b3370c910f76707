// python-unseen-template: formats a template that cannot be seen
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kFormatTemplate = {
    "python-unseen-template",
    FindingType::kDangerousPattern,
    Capability::kIntrospection,
    Severity::kError,
    "formats a template that cannot be seen",
    "str.format follows attributes: '{0.__class__}'. A template that is put together "
    "while the program runs can name any of them.",
    "Use an f-string, or %-formatting, or a literal template."};

}  // namespace langsbx::languages::python
