// From the runtime's identity to the container's.
#include "runtime/confine/identity.h"

#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "runtime/kernel/credentials.h"

namespace langsbx::confine {
namespace {

// (uid_t)-1 means "leave it" to setresuid(2) and would keep the runtime's own id.
constexpr std::uint32_t kNoId = 0xffffffffU;

Result<void> set_ids(const IdentityPlan& plan) {
  if (plan.set_groups) TRY(langsbx::set_groups(plan.groups));
  TRY(set_group(plan.gid));
  return set_user(plan.uid);
}

bool is_only(const OwnStatus::Ids& ids, std::uint32_t wanted) {
  return ids.real == wanted && ids.effective == wanted && ids.saved == wanted &&
         ids.file_system == wanted;
}

Result<void> verify_ids(const IdentityPlan& plan, const OwnStatus& status) {
  if (!is_only(status.uid, plan.uid)) {
    return make_error(ErrorKind::kInternal, "user id was not applied");
  }
  if (!is_only(status.gid, plan.gid)) {
    return make_error(ErrorKind::kInternal, "group id was not applied");
  }
  if (!plan.set_groups) return {};
  std::vector<gid_t> wanted = plan.groups;
  std::sort(wanted.begin(), wanted.end());
  if (status.groups != wanted) {
    return make_error(ErrorKind::kInternal, "additional groups were not applied");
  }
  return {};
}

}  // namespace

Result<IdentityPlan> plan_identity(const oci::User& user,
                                   std::optional<CapabilityPlan> capabilities,
                                   bool setgroups_allowed, bool keep_original_groups) {
  if (user.uid == kNoId) {
    return make_error(ErrorKind::kInvalidInput, "process.user.uid: 4294967295 is not a user id");
  }
  if (user.gid == kNoId) {
    return make_error(ErrorKind::kInvalidInput, "process.user.gid: 4294967295 is not a group id");
  }
  if (std::find(user.additional_gids.begin(), user.additional_gids.end(), kNoId) !=
      user.additional_gids.end()) {
    return make_error(ErrorKind::kInvalidInput,
                      "process.user.additionalGids: 4294967295 is not a group id");
  }
  if (!user.additional_gids.empty() && !setgroups_allowed) {
    return make_error(ErrorKind::kInvalidInput,
                      "process.user.additionalGids: setgroups is denied in this user namespace");
  }
  IdentityPlan plan;
  plan.uid = user.uid;
  plan.gid = user.gid;
  plan.groups.assign(user.additional_gids.begin(), user.additional_gids.end());
  plan.keep_groups = keep_original_groups;
  plan.set_groups = setgroups_allowed && !keep_original_groups;
  plan.umask = user.umask.value_or(0022) & 0777U;
  plan.capabilities = std::move(capabilities);
  return plan;
}

Result<OwnStatus> apply_identity(const IdentityPlan& plan, int procfs) {
  const CapabilityPlan none;
  const CapabilityPlan& capabilities = plan.capabilities ? *plan.capabilities : none;
  TRY(apply_bounding_set(capabilities));  // needs CAP_SETPCAP, which setresuid may take away
  // Without it setresuid to a user other than root would clear permitted before capset is called.
  const bool keep = plan.uid != 0;
  if (keep && ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) {
    return system_error("prctl PR_SET_KEEPCAPS");
  }
  TRY(set_ids(plan));
  ::umask(plan.umask);
  TRY(apply_capabilities(capabilities));
  if (keep && ::prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) != 0) {
    return system_error("prctl PR_SET_KEEPCAPS");
  }
  // setresuid may have reset it; until execve nobody in the container may attach (CVE-2016-9962).
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return system_error("prctl PR_SET_DUMPABLE");
  auto status = TRY(read_own_status(procfs));
  TRY(verify_ids(plan, status));
  TRY(verify_capabilities(capabilities, status));
  return status;
}

}  // namespace langsbx::confine
