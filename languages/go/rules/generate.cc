// Rule go-generate.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kGenerate = {"go-generate",
                        FindingType::kDangerousPattern,
                        Capability::kProcessSpawn,
                        Severity::kError,
                        "has {}",
                        "go generate runs the command in the comment.",
                        "Leave it out."};

}  // namespace langsbx::languages::go
