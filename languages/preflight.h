// The byte-level checks before any scanner: whatever makes a reader and an interpreter see two
// different programs in the same bytes is refused here. One pass, word-wise over ASCII.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "languages/language.h"
#include "languages/policy.h"
#include "languages/preflight_options.h"

namespace langsbx::languages {

// False when the bytes are no text to judge (too large, binary, NUL, not UTF-8): a scanner would
// only add noise. The findings say why.
[[nodiscard]] bool preflight(const Source& source, const Policy& policy,
                             const PreflightOptions& options, Findings& findings);

// For scanners: reports an identifier with non-ASCII characters that is not what it seems.
void check_identifier(std::string_view identifier, std::size_t offset, Findings& findings);

}  // namespace langsbx::languages
