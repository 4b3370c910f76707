// Rule c-attribute.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kAttribute = {
    "c-attribute",
    FindingType::kDangerousPattern,
    Capability::kNativeCode,
    Severity::kError,
    "has the attribute '{}'",
    "Constructors run before main, ifunc and alias call under another name, section places data "
    "among the code. Only attributes known to do none of that pass.",
    "Leave the attribute out."};

}  // namespace langsbx::languages::c
