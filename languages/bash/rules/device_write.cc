// Rule bash-device-write.
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {

const Rule kDeviceWrite = {
    "bash-device-write",
    FindingType::kFileAccess,
    Capability::kNone,
    Severity::kError,
    "writes to a device: {}",
    "A disk written past its file system is lost; memory and consoles belong to the "
    "system.",
    "Write to a file; /dev/null, /dev/stdout, /dev/stderr and /dev/tty are fine."};

}  // namespace langsbx::languages::bash
