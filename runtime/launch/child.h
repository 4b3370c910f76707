// Steps that every child of a launch takes: init, a process that joins, the light tier's.
#pragma once

#include <string>
#include <vector>

#include "runtime/guard/gate.h"
#include "runtime/handshake/channel.h"
#include "runtime/launch/last_steps.h"

namespace langsbx::runtime {

// First thing: no signal is blocked, and modes are those that the plan names.
Result<void> begin_child();
void close_all(const std::vector<int>& descriptors);
// Waits for Proceed, and enters its cgroup where it is sent the way in.
Result<handshake::Proceed> enter_and_proceed(handshake::Channel& channel);
// A session keyring of its own, so that the container does not share the caller's keys. Empty:
// none.
Result<void> join_session_keyring(const std::string& name);

// A session of its own with the terminal, if there is one; the source pinned, if it is to be
// judged; then ids, groups and capabilities.
Result<Unprivileged> become_user(isolate::Rooted rooted, const UniqueFd& console,
                                 const guard::GuardPlan& guard, int procfs);
// The guard, confinement, execve. Returns only when one of them failed.
Error run_program(Unprivileged identity, const guard::GuardPlan& guard, int procfs,
                  int seccomp_socket);

}  // namespace langsbx::runtime
