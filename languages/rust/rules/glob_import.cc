// Rule rust-glob-import.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kGlobImport = {"rust-glob-import",
                          FindingType::kBlockedModule,
                          Capability::kNone,
                          Severity::kError,
                          "imports everything of {}",
                          "After a glob import of std or of a module that reaches outside, its "
                          "names stand in the program without their path.",
                          "Import names one by one."};

}  // namespace langsbx::languages::rust
