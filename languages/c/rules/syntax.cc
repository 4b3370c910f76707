// Rule c-syntax.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kSyntax = {
    "c-syntax",
    FindingType::kSyntax,
    Capability::kNone,
    Severity::kError,
    "not understood: {}",
    "Trigraphs, glued tokens, literals that end elsewhere under another standard, or bytes that "
    "are no part of C: what the judge reads would not be what the compiler reads.",
    "Write the source so that every C compiler reads it the same way."};

}  // namespace langsbx::languages::c
