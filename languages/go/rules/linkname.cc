// Rule go-linkname.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kLinkname = {"go-linkname",
                        FindingType::kDangerousPattern,
                        Capability::kNativeCode,
                        Severity::kError,
                        "has {}",
                        "go:linkname binds a function to any private one of the runtime or syscall "
                        "package, whatever the imports say.",
                        "Leave it out."};

}  // namespace langsbx::languages::go
