// Rule bash-download-execute.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kDownloadExecute = {
    "bash-download-execute",
    FindingType::kDangerousPattern,
    Capability::kNativeCode,
    Severity::kError,
    "runs what was just downloaded: {}",
    "The code that arrives was read by nobody here and may be another one tomorrow.",
    "Download to a file, check its checksum, judge it, then run it."};

}  // namespace langsbx::languages::bash
