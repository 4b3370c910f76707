// Rule rust-syntax.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kSyntax = {"rust-syntax",
                      FindingType::kSyntax,
                      Capability::kNone,
                      Severity::kError,
                      "not understood: {}",
                      "Bytes that are no Rust, a literal or comment without end, a bracket without "
                      "partner: the judge would not read what the compiler reads.",
                      "Run rustfmt over the file."};

}  // namespace langsbx::languages::rust
