// Rule bash-spawn-option.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kSpawnOption = {
    "bash-spawn-option",
    FindingType::kBlockedFunction,
    Capability::kProcessSpawn,
    Severity::kError,
    "an option or program text that starts a command: {}",
    "Harmless tools start programs when told so: awk's system() and pipes, sed's e, tar's "
    "checkpoints, sort's compressor, split's filter.",
    "Put the commands in a pipeline, where each is seen."};

}  // namespace langsbx::languages::bash
