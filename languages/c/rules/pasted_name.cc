// Rule c-pasted-name.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kPastedName = {"c-pasted-name",
                          FindingType::kDangerousPattern,
                          Capability::kDynamicCode,
                          Severity::kError,
                          "puts a name together: {}",
                          "Token pasting can spell a function's name out of parts, so that it "
                          "stands nowhere in the source.",
                          "Write names in full."};

}  // namespace langsbx::languages::c
