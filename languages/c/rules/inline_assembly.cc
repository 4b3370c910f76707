// Rule c-inline-assembly.
#include "languages/c/rules/rules.h"

namespace langsbx::languages::c {

const Rule kInlineAssembly = {"c-inline-assembly",
                              FindingType::kDangerousPattern,
                              Capability::kNativeCode,
                              Severity::kError,
                              "has assembly: {}",
                              "Assembly can hold system calls, other names for functions (asm "
                              "labels) and whole files (.incbin).",
                              "Write it in the language, or use compiler intrinsics."};

}  // namespace langsbx::languages::c
