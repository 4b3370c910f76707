// A sandbox as a bundle on disk, for a runtime that is not us.
#pragma once

#include <string>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/execute/sandbox_spec.h"

namespace langsbx::execute {

// config.json's text: what sandbox_spec() fills in, and the cgroup; with no path the runtime is to
// stay in the one it is started in.
std::string config_json(const oci::Spec& spec, const std::string& cgroups_path);
// `folder`/rootfs with links, /etc and the source, and `folder`/config.json. The work directory is
// bound from program.places.work of the host.
Result<void> write_bundle(const Program& program, const std::string& folder,
                          const std::string& work, const std::string& cgroups_path);

}  // namespace langsbx::execute
