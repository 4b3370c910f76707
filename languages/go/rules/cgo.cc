// Rule go-cgo.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kCgo = {"go-cgo",
                   FindingType::kDangerousPattern,
                   Capability::kNativeCode,
                   Severity::kError,
                   "has {}",
                   "cgo compiles C from a comment into the program and links any library.",
                   "Write it in Go."};

}  // namespace langsbx::languages::go
