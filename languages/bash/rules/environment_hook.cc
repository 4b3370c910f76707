// Rule bash-environment-hook.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kEnvironmentHook = {
    "bash-environment-hook",
    FindingType::kDangerousPattern,
    Capability::kEnvironment,
    Severity::kError,
    "a variable that changes what other commands do: {}",
    "PATH, IFS, LD_PRELOAD, BASH_ENV, PS4 and their like decide which program runs and "
    "what it loads: every name judged afterwards may mean something else.",
    "Name programs as they are installed; set IFS only before `read`."};

}  // namespace langsbx::languages::bash
