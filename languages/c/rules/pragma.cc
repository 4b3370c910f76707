// Rule c-pragma.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kPragma = {"c-pragma",
                      FindingType::kDangerousPattern,
                      Capability::kNativeCode,
                      Severity::kError,
                      "has the pragma '{}'",
                      "redefine_extname and weak give a function another name for the linker, "
                      "others read files or load plug-ins. Only pragmas known to be harmless pass.",
                      "Leave the pragma out."};

}  // namespace langsbx::languages::c
