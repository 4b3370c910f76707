// Rule rust-assembled-path.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kAssembledPath = {"rust-assembled-path",
                             FindingType::kDangerousPattern,
                             Capability::kDynamicCode,
                             Severity::kError,
                             "a macro puts a name together: {}",
                             "A path, macro name or attribute made of macro parameters can reach "
                             "anything while its name stands nowhere.",
                             "Write names in full in macro bodies."};

}  // namespace langsbx::languages::rust
