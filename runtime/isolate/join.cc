// setns by pidfd.
#include "runtime/isolate/join.h"

#include <sched.h>

#include "runtime/isolate/namespaces.h"

namespace langsbx::isolate {

Result<void> join_namespaces_of(int target, std::uint64_t namespaces, bool keep_groups) {
  if (namespaces == 0) return {};
  if (::setns(target, static_cast<int>(namespaces)) != 0) {
    return system_error("setns to the container's namespaces");
  }
  if ((namespaces & CLONE_NEWUSER) != 0) TRY(become_namespace_root(keep_groups));
  return {};
}

Result<Rooted> join_container(const JoinPlan& plan) {
  TRY(join_namespaces_of(plan.target, plan.namespaces, plan.program->identity.keep_groups));
  return Rooted(*plan.program, UniqueFd());
}

}  // namespace langsbx::isolate
