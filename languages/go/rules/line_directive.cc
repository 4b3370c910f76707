// Rule go-line-directive.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kLineDirective = {
    "go-line-directive",
    FindingType::kDangerousPattern,
    Capability::kNone,
    Severity::kError,
    "has {}",
    "A line directive falsifies the file and line of everything after it, findings too.",
    "Leave it out."};

}  // namespace langsbx::languages::go
