// Rule go-syntax.
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {

const Rule kSyntax = {"go-syntax",
                      FindingType::kSyntax,
                      Capability::kNone,
                      Severity::kError,
                      "not understood: {}",
                      "Bytes that are no Go, a literal or comment without end, a bracket without "
                      "partner: the judge would not read what the compiler reads.",
                      "Run gofmt over the file."};

}  // namespace langsbx::languages::go
