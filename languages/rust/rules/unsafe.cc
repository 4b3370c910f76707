// Rule rust-unsafe.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kUnsafe = {
    "rust-unsafe",
    FindingType::kDangerousPattern,
    Capability::kNativeCode,
    Severity::kError,
    "has unsafe code",
    "Unsafe code can call any address, read any memory and undo every other rule.",
    "Write it in safe Rust."};

}  // namespace langsbx::languages::rust
