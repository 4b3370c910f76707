// Rule bash-secret-variable.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kSecretVariable = {"bash-secret-variable",
                              FindingType::kDangerousPattern,
                              Capability::kSecrets,
                              Severity::kError,
                              "reads the secret '{}' from the environment",
                              "Whoever started the script keeps tokens and keys in variables of "
                              "such names; what the script sets itself is its own.",
                              "Pass the one value that is needed under a name of its own."};

}  // namespace langsbx::languages::bash
