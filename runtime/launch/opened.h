// A container that a later call works on: its directory, locked, its record and its cgroup.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/lifecycle.h"
#include "runtime/state/store.h"

namespace langsbx::runtime {

struct Opened {
  state::Container container;
  state::Record record;
  cgroup::Cgroup group;
};

// Locks: calls on one container wait for each other.
Result<Opened> open_locked(const Context& context, const std::string& id);
// The cgroup that the record names; a record of a create that died early names none.
Result<cgroup::Cgroup> cgroup_of(const state::Record& record);
// running, paused, ..., with the freezer asked.
oci::Status status_of(const Opened& opened);
// What hooks are told.
oci::State state_for_hooks(const Opened& opened, oci::Status status);

// The recorded init, and not another process that was given its number since: the pidfd is opened
// first, then the start time is compared. Whoever uses the number itself beside it asks
// still_lives() afterwards. An init that has ended is kWrongState.
Result<UniqueFd> open_init(const state::Record& record);
// The number still is the pidfd's process.
bool still_lives(const UniqueFd& pidfd);

}  // namespace langsbx::runtime
