// Rule rust-blocked-crate.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kBlockedCrate = {
    "rust-blocked-crate",
    FindingType::kBlockedModule,
    Capability::kNativeCode,
    Severity::kError,
    "uses the crate {}",
    "The crate calls the C library or the system directly, runs at compile time, or is not judged "
    "with the program.",
    "Keep to the standard library, or name the crate under modules.additional."};

}  // namespace langsbx::languages::rust
