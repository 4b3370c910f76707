// Where JavaScript and TypeScript look for what a source imports.
#pragma once

#include <string>

#include "languages/language.h"

namespace langsbx::languages::javascript {

// See Language::follow_reference.
bool follow_reference(PackageSearch& search, const std::string& folder, const Source& source,
                      const LocalReference& reference);
// TypeScript's: every file that some tool would take is judged.
bool follow_type_reference(PackageSearch& search, const std::string& folder, const Source& source,
                           const LocalReference& reference);

}  // namespace langsbx::languages::javascript
