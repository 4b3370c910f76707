// Taking a container down.
#pragma once

#include "oci/spec.h"
#include "runtime/launch/opened.h"

namespace langsbx::runtime {

// Kills everything, removes cgroup and directory, runs poststop. For delete and failed starts.
Result<void> destroy_container(const Context& context, Opened& opened,
                               const oci::Spec* spec = nullptr);

// Init has said why it failed and is about to end. Clients delete a container whose start failed at
// once, and keep what they made for it for ever when it seems to run: they hear of it afterwards.
void await_end(const Opened& opened);

}  // namespace langsbx::runtime
