// Rule rust-attribute.
#include "languages/rust/rules/rules.h"

namespace langsbx::languages::rust {

const Rule kAttribute = {"rust-attribute",
                         FindingType::kDangerousPattern,
                         Capability::kNativeCode,
                         Severity::kError,
                         "has the attribute {}",
                         "no_mangle, export_name and link_section replace library functions or run "
                         "code before main, path takes in other files, procedural macros run at "
                         "compile time. Only attributes known to do none of that pass.",
                         "Leave the attribute out."};

}  // namespace langsbx::languages::rust
