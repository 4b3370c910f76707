// Rule go-unknown-import.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kUnknownImport = {
    "go-unknown-import",
    FindingType::kBlockedModule,
    Capability::kNativeCode,
    Severity::kError,
    "imports {}, which is not in the standard library",
    "Code of other modules is not judged with the program and may use anything, also cgo and "
    "assembly.",
    "Keep to the standard library, or name the module under modules.additional."};

}  // namespace langsbx::languages::go
