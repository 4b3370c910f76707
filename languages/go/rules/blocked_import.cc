// Rule go-blocked-import.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kBlockedImport = {"go-blocked-import",
                             FindingType::kBlockedModule,
                             Capability::kNone,
                             Severity::kError,
                             "imports {}",
                             "The package gives something the profile does not allow. The import "
                             "counts under any alias, also _ and the dot.",
                             "Use another package, or allow its capability in the profile."};

}  // namespace langsbx::languages::go
