// A profile's own patterns against pieces of source: literal text with '*' and '?'.
#pragma once

#include <cstddef>
#include <string_view>

#include "languages/language.h"
#include "languages/policy.h"

namespace langsbx::languages {

// Whether `pattern` occurs in `text` (which has no newline): '*' is any run, '?' one byte. Takes at
// most pattern * text steps.
[[nodiscard]] bool pattern_occurs(std::string_view pattern, std::string_view text);

// Reports every pattern for `where` that occurs in a line of `text`; `offset` is where `text`
// stands in the source. Scanners call it for code lines, strings, comments and commands when the
// policy has patterns; judge() itself serves kAnywhere.
void match_patterns(const Policy& policy, Pattern::Where where, std::string_view text,
                    std::size_t offset, Findings& findings);

}  // namespace langsbx::languages
