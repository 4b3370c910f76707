// What start and run do once init waits at the gate.
#pragma once

#include "oci/spec.h"
#include "runtime/handshake/channel.h"
#include "runtime/launch/opened.h"

namespace langsbx::runtime {

// Starts the program, unless it was told to already, runs the poststart hooks (whose failure kills
// the container). Gives the socket where the program will tell its readiness; invalid when nobody
// asked for it.
Result<UniqueFd> start_and_poststart(const Context& context, Opened& opened, const oci::Spec& spec,
                                     handshake::Channel& channel, bool started = false);

// What a seccomp listener is told of the container.
oci::State listener_state(const Opened& opened, oci::Status status);

}  // namespace langsbx::runtime
