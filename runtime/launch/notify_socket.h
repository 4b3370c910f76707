// NOTIFY_SOCKET: readiness of the container's program for systemd and Podman.
#pragma once

#include <string>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/state/store.h"

namespace langsbx::runtime {

// With NOTIFY_SOCKET in our environment: a directory of ours appears inside (as /run/notify; under
// crun's name at the path of the outer socket), and the program's NOTIFY_SOCKET names the socket in
// it.
Result<void> add_notify_socket(oci::Spec& spec, const std::string& root, const std::string& id,
                               const std::string& runtime_name);
// Binds the socket in the container's directory.
Result<void> open_notify_socket(const state::Container& container, state::Record& record);
// `start`, before the program runs: binds the socket. Invalid when nobody asked for it.
Result<UniqueFd> bind_notify_socket(const state::Container& container, const state::Record& record);
// Afterwards: takes one message of the program; readiness goes to the real socket, with MAINPID.
// True when that is done.
Result<bool> pass_on_notification(const UniqueFd& socket, const state::Record& record);
// The same until the program is ready or has ended. Nothing to do when the socket is invalid.
Result<void> relay_notify(const UniqueFd& socket, const state::Record& record);

}  // namespace langsbx::runtime
