// Rule rust-blocked-macro.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kBlockedMacro = {
    "rust-blocked-macro",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "uses the macro {}!",
    "The macro holds assembly, or reads files or the environment while the program is compiled.",
    "Read files at run time; leave assembly out."};

}  // namespace langsbx::languages::rust
