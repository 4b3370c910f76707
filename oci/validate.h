// What values of config.json must hold together, as far as no host is needed to tell.
//
// Not here: what depends on the host or is a facility's own vocabulary (rlimit and scheduler
// names, seccomp actions, mount options, sysctl keys, cgroup values); the facility refuses those.
// Each message starts with the JSON path.
#pragma once

#include <string_view>

#include "oci/spec.h"
#include "runtime/base/result.h"

namespace langsbx::oci {

Result<void> validate(const Spec& spec);
// `path` is where it stands: "process." in config.json, empty in the file of `exec --process`.
Result<void> validate(const Process& process, std::string_view path);
Result<void> validate(const Resources& resources, std::string_view path);

// Any 1.x. Others are started all the same, as runc and crun do, with a warning.
bool is_supported_version(std::string_view oci_version);

}  // namespace langsbx::oci
