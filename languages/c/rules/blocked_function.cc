// Rule c-blocked-function.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kBlockedFunction = {
    "c-blocked-function",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "uses {}",
    "The function starts programs, opens connections or files, loads code or changes the system. "
    "Mentioning it is enough: a pointer, a macro or a declaration of one's own calls it as well.",
    "Do without it, or allow its capability in the profile."};

}  // namespace langsbx::languages::c
