// The cgroup of a run: only what limits and counts, and what earlier runs left.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oci/spec_resources.h"
#include "runtime/base/result.h"
#include "runtime/cgroup/cgroup.h"

namespace langsbx::execute {

// How the name of a run's cgroup begins; its id follows. One directory a hierarchy: a parent for
// all of them would be made and removed by most.
inline constexpr std::string_view kCgroupPrefix = "langsbx-execute-";

struct SandboxCgroup {
  cgroup::Host host;
  cgroup::Cgroup group;     // of mode kNone when none can be had
  std::string controllers;  // "cpu memory pids", or why there is none
};

// Fails where the host has controllers and the cgroup could not be made.
Result<SandboxCgroup> make_sandbox_cgroup(const std::string& id, const oci::Resources& resources,
                                          bool rootless);

// An id begins with the pid of its langsbx: cgroups whose maker is dead are removed, where `cgroup`
// is, too.
void sweep_left_cgroups(const SandboxCgroup& cgroup);

// What another runtime made of our path in hierarchies that we leave alone: it removes its own
// directory below and not this one.
void remove_beside(const std::string& id);

}  // namespace langsbx::execute
