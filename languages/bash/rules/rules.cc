// The explicit list of rules.
#include "languages/bash/rules/rules.h"

#include <array>

namespace langsbx::languages::bash {
namespace {

constexpr auto kRules = std::to_array<const Rule*>({
    &kSyntax,          &kLimit,           &kUnknownCommand,     &kUnlistedCommand,
    &kDynamicCommand,  &kDynamicCode,     &kSourceFile,         &kProcessCommand,
    &kSpawnOption,     &kNetworkCommand,  &kNetworkRedirection, &kReverseShell,
    &kDownloadExecute, &kFileCommand,     &kPathOutside,        &kSecretPath,
    &kPersistence,     &kSystemCommand,   &kDeviceWrite,        &kDeleteRoot,
    &kForkBomb,        &kEnvironmentHook, &kEnvironmentCommand, &kArithmeticCode,
    &kPromptExpansion, &kNativeCode,      &kSignalCommand,      &kInteractiveCommand,
    &kSecretCommand,   &kSecretVariable,  &kShellDialect,       &kShadowedCommand,
});

}  // namespace

std::span<const Rule* const> all_rules() { return kRules; }

}  // namespace langsbx::languages::bash
