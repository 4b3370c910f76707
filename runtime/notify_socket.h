// NOTIFY_SOCKET: readiness of the container's program for systemd and Podman.
#pragma once

#include <string>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/state/store.h"

namespace langsbx::runtime {

// With NOTIFY_SOCKET in our environment: a directory of ours appears as /run/notify inside, and the
// program's NOTIFY_SOCKET names the socket in it.
Result<void> add_notify_socket(oci::Spec& spec, const std::string& root, const std::string& id);
// Binds the socket in the container's directory.
Result<void> open_notify_socket(const state::Container& container, state::Record& record);
// `start`, before the program runs: binds the socket. Invalid when nobody asked for it.
Result<UniqueFd> bind_notify_socket(const state::Container& container, const state::Record& record);
// Afterwards: waits for READY=1 of the program, hands it to the real socket with MAINPID.
Result<void> relay_notify(const UniqueFd& socket, const state::Record& record);

}  // namespace langsbx::runtime
