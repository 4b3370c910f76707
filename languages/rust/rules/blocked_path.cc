// Rule rust-blocked-path.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kBlockedPath = {
    "rust-blocked-path",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "uses {}",
    "This part of the standard library starts programs, opens connections or files or reads the "
    "environment. It counts under any alias and inside macro calls.",
    "Do without it, or allow its capability in the profile."};

}  // namespace langsbx::languages::rust
