// Rule bash-syntax.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kSyntax = {
    "bash-syntax",
    FindingType::kSyntax,
    Capability::kNone,
    Severity::kError,
    "not understood: {}",
    "What the parser does not understand cannot be judged, and where shells read the same "
    "text differently nobody can say which reading runs.",
    "Write it in the plain form; `bash -n` shows most mistakes."};

}  // namespace langsbx::languages::bash
