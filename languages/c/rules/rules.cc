// The list of rules.
#include "languages/c/rules/rules.h"

#include <array>

namespace langsbx::languages::c {
namespace {

constexpr auto kRules = std::to_array<const Rule*>({
    &kSyntax,
    &kBlockedFunction,
    &kBlockedHeader,
    &kDisguisedInclude,
    &kPathOutside,
    &kInlineAssembly,
    &kAttribute,
    &kPragma,
    &kPastedName,
    &kEntryPoint,
});

}  // namespace

std::span<const Rule* const> all_rules() { return kRules; }

}  // namespace langsbx::languages::c
