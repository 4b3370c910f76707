// Rule bash-secret-path.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kSecretPath = {
    "bash-secret-path",
    FindingType::kFileAccess,
    Capability::kSecrets,
    Severity::kError,
    "a place where secrets are kept: {}",
    "Password files, keys, tokens and the environment of other processes are worth "
    "stealing and nothing an ordinary script reads.",
    "Pass the one value that is needed."};

}  // namespace langsbx::languages::bash
