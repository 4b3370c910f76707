// Rule c-entry-point.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kEntryPoint = {"c-entry-point",
                          FindingType::kDangerousPattern,
                          Capability::kNativeCode,
                          Severity::kError,
                          "replaces the program's start or library symbol: {}",
                          "main as an array, _start and library internals defined by the program "
                          "run bytes as code or run before anything else.",
                          "Define int main() as a function."};

}  // namespace langsbx::languages::c
