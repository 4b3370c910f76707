// Every rule the Go judge reports: one file each, its fixture beside it.
#pragma once

#include <span>

#include "languages/rule.h"

namespace langsbx::languages::go {

extern const Rule kSyntax;
extern const Rule kBlockedImport;
extern const Rule kBlockedFunction;
extern const Rule kUnknownImport;
extern const Rule kLinkname;
extern const Rule kEmbed;
extern const Rule kCgo;
extern const Rule kGenerate;
extern const Rule kLineDirective;
extern const Rule kBodylessFunction;
extern const Rule kPathOutside;

[[nodiscard]] std::span<const Rule* const> all_rules();

}  // namespace langsbx::languages::go
