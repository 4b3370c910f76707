// Becoming the container's user: groups, ids, umask and capabilities in the one order that works.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/confine/capabilities.h"
#include "runtime/kernel/own_status.h"

namespace langsbx::confine {

struct IdentityPlan {
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;
  bool set_groups = true;    // false: setgroups is denied here, or the caller's are kept
  bool keep_groups = false;  // run.oci.keep_original_groups=1, in a user namespace, too
  mode_t umask = 0022;
  std::optional<CapabilityPlan> capabilities;  // absent: all are dropped
};

// `setgroups_allowed`: /proc/PID/setgroups of the container's user namespace does not say "deny".
// additionalGids without it is an error.
Result<IdentityPlan> plan_identity(const oci::User& user,
                                   std::optional<CapabilityPlan> capabilities,
                                   bool setgroups_allowed, bool keep_original_groups);

// Bounding set -> keepcaps -> groups -> gid -> uid -> umask -> capabilities -> ambient; then every
// one of them is read back (from `procfs`, see read_own_status) and compared. Leaves the process
// undumpable (PR_SET_DUMPABLE 0). Gives what was read.
Result<OwnStatus> apply_identity(const IdentityPlan& plan, int procfs = -1);

}  // namespace langsbx::confine
