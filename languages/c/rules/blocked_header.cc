// Rule c-blocked-header.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kBlockedHeader = {
    "c-blocked-header",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "includes <{}>",
    "The header declares functions for something the profile does not allow, or belongs to a "
    "library that is not one of the language's own and cannot be judged.",
    "Use the standard library, or name the header under modules.additional."};

}  // namespace langsbx::languages::c
