// Rule c-disguised-include.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kDisguisedInclude = {
    "c-disguised-include",
    FindingType::kFileAccess,
    Capability::kNone,
    Severity::kError,
    "takes in a file in a way that cannot be followed: {}",
    "An #include that names a macro, stands inside an expression, asks whether a file exists or "
    "takes in something that is no C source can read any file of the machine into the program.",
    "Include headers by name, at the top level, from the program's own folder."};

}  // namespace langsbx::languages::c
