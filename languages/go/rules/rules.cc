// The list of rules.
#include "languages/go/rules/rules.h"

#include <array>

namespace langsbx::languages::go {
namespace {

constexpr auto kRules = std::to_array<const Rule*>({
    &kSyntax,
    &kBlockedImport,
    &kBlockedFunction,
    &kUnknownImport,
    &kLinkname,
    &kEmbed,
    &kCgo,
    &kGenerate,
    &kLineDirective,
    &kBodylessFunction,
    &kPathOutside,
});

}  // namespace

std::span<const Rule* const> all_rules() { return kRules; }

}  // namespace langsbx::languages::go
