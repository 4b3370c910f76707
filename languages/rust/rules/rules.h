// Every rule the Rust judge reports: one file each, its fixture beside it.
#pragma once

#include <span>

#include "languages/rule.h"

namespace langsbx::languages::rust {

extern const Rule kSyntax;
extern const Rule kBlockedPath;
extern const Rule kBlockedCrate;
extern const Rule kGlobImport;
extern const Rule kUnsafe;
extern const Rule kForeignCode;
extern const Rule kBlockedMacro;
extern const Rule kAttribute;
extern const Rule kAssembledPath;
extern const Rule kPathOutside;

[[nodiscard]] std::span<const Rule* const> all_rules();

}  // namespace langsbx::languages::rust
