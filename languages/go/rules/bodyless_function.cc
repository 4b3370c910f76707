// Rule go-bodyless-function.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kBodylessFunction = {
    "go-bodyless-function",
    FindingType::kDangerousPattern,
    Capability::kNativeCode,
    Severity::kError,
    "has no body: {}",
    "A function without a body is made of assembly or linked to a private one of the runtime.",
    "Give it a body."};

}  // namespace langsbx::languages::go
