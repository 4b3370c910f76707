// Every rule the Bash judge reports: one file each, its fixture beside it.
#pragma once

#include <span>

#include "languages/rule.h"

namespace langsbx::languages::bash {

extern const Rule kSyntax;
extern const Rule kLimit;
extern const Rule kUnknownCommand;
extern const Rule kUnlistedCommand;
extern const Rule kDynamicCommand;
extern const Rule kDynamicCode;
extern const Rule kSourceFile;
extern const Rule kProcessCommand;
extern const Rule kSpawnOption;
extern const Rule kNetworkCommand;
extern const Rule kNetworkRedirection;
extern const Rule kReverseShell;
extern const Rule kDownloadExecute;
extern const Rule kFileCommand;
extern const Rule kPathOutside;
extern const Rule kSecretPath;
extern const Rule kPersistence;
extern const Rule kSystemCommand;
extern const Rule kDeviceWrite;
extern const Rule kDeleteRoot;
extern const Rule kForkBomb;
extern const Rule kEnvironmentHook;
extern const Rule kEnvironmentCommand;
extern const Rule kArithmeticCode;
extern const Rule kPromptExpansion;
extern const Rule kNativeCode;
extern const Rule kSignalCommand;
extern const Rule kInteractiveCommand;
extern const Rule kSecretCommand;
extern const Rule kSecretVariable;
extern const Rule kShellDialect;
extern const Rule kShadowedCommand;

[[nodiscard]] std::span<const Rule* const> all_rules();

}  // namespace langsbx::languages::bash
