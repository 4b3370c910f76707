// Every rule the C and C++ judges report: one file each, its fixture beside it.
#pragma once

#include <span>

#include "languages/rule.h"

namespace langsbx::languages::c {

extern const Rule kSyntax;
extern const Rule kBlockedFunction;
extern const Rule kBlockedHeader;
extern const Rule kDisguisedInclude;
extern const Rule kPathOutside;
extern const Rule kInlineAssembly;
extern const Rule kAttribute;
extern const Rule kPragma;
extern const Rule kPastedName;
extern const Rule kEntryPoint;

[[nodiscard]] std::span<const Rule* const> all_rules();

}  // namespace langsbx::languages::c
