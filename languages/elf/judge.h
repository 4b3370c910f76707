// The judge of what the compiler made: it sees through macros, asm labels and pragmas.
#pragma once

#include <string_view>

#include "languages/elf/reader.h"
#include "languages/language.h"
#include "languages/policy.h"

namespace langsbx::languages::elf {

// Judges one object file before linking (or a dynamically linked program). `elsewhere`: what the
// program's other, also judged, objects define. The findings stand at the start of `bytes`.
void judge_object(std::string_view bytes, const Policy& policy, Findings& findings,
                  const NameSet& elsewhere = {});

// The global symbols the object defines, for `elsewhere`.
[[nodiscard]] NameSet defined_symbols(const Object& object);

}  // namespace langsbx::languages::elf
