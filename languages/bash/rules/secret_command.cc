// Rule bash-secret-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kSecretCommand = {"bash-secret-command",
                             FindingType::kBlockedFunction,
                             Capability::kSecrets,
                             Severity::kError,
                             "'{}' handles keys and secrets",
                             "Key stores and password tools have no place in an ordinary script.",
                             "Pass the one value that is needed."};

}  // namespace langsbx::languages::bash
