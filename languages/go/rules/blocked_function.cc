// Rule go-blocked-function.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kBlockedFunction = {"go-blocked-function",
                               FindingType::kBlockedFunction,
                               Capability::kNone,
                               Severity::kError,
                               "uses {}",
                               "The package is fine, this part of it is not: os opens files and "
                               "also starts processes, reads the environment and changes owners.",
                               "Do without it, or allow its capability in the profile."};

}  // namespace langsbx::languages::go
