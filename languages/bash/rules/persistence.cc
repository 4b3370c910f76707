// Rule bash-persistence.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kPersistence = {
    "bash-persistence",
    FindingType::kSystemCall,
    Capability::kPersistence,
    Severity::kError,
    "stays behind after the script has ended: {}",
    "Scheduled jobs, services and start-up files run again when nobody looks.",
    "Run the work in the foreground."};

}  // namespace langsbx::languages::bash
