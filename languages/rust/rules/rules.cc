// The list of rules.
#include "languages/rust/rules/rules.h"

#include <array>

namespace langsbx::languages::rust {
namespace {

constexpr auto kRules = std::to_array<const Rule*>({
    &kSyntax,
    &kBlockedPath,
    &kBlockedCrate,
    &kGlobImport,
    &kUnsafe,
    &kForeignCode,
    &kBlockedMacro,
    &kAttribute,
    &kAssembledPath,
    &kPathOutside,
});

}  // namespace

std::span<const Rule* const> all_rules() { return kRules; }

}  // namespace langsbx::languages::rust
