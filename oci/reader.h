// config.json and its parts, from JSON text to values. Pure; nothing is looked up on the host.
//
// Refused, with file and JSON path in the message: syntax errors, wrong types, numbers out of
// range, missing required properties, NUL bytes, documents beyond decode.h's Limits. Ignored:
// unknown properties, because the specification demands it; a name in another letter case ("Args")
// is known, as in Go. What the values mean together is checked by validate.h.
#pragma once

#include <string_view>

#include "oci/spec.h"
#include "runtime/base/result.h"

namespace langsbx::oci {

// `file` is only for messages.
Result<Spec> read_spec(std::string_view json, std::string_view file);
// The file of `exec --process`.
Result<Process> read_process(std::string_view json, std::string_view file);
// The document of `update --resources`.
Result<Resources> read_resources(std::string_view json, std::string_view file);
// A profile file: `linux.seccomp` by itself. The templates of Docker (includes, excludes,
// archMap) are refused, since their conditions would be lost.
Result<Seccomp> read_seccomp(std::string_view json, std::string_view file);
// A landlockconfig document, or `process.landlock` by itself.
Result<Landlock> read_landlock(std::string_view json, std::string_view file);

}  // namespace langsbx::oci
