// Rule bash-signal-command.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kSignalCommand = {"bash-signal-command",
                             FindingType::kSystemCall,
                             Capability::kSignals,
                             Severity::kError,
                             "'{}' sends signals to processes",
                             "Processes outside the script are not its to stop.",
                             "Use `timeout`, or a profile that allows signals."};

}  // namespace langsbx::languages::bash
