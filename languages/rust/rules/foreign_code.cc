// Rule rust-foreign-code.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kForeignCode = {
    "rust-foreign-code",
    FindingType::kDangerousPattern,
    Capability::kNativeCode,
    Severity::kError,
    "declares foreign code: {}",
    "extern binds functions of the C library, or offers one to it in place of its own.",
    "Use the standard library."};

}  // namespace langsbx::languages::rust
