// Everything that `create` and `run` decide before they make anything: read, then planned.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "oci/spec.h"
#include "runtime/cgroup/plan.h"
#include "runtime/guard/gate.h"
#include "runtime/launch/explaining.h"
#include "runtime/lifecycle.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// Complete, and edited by nobody.
struct ContainerPlan {
  std::string bundle;  // absolute
  std::string config;  // the bytes of config.json
  oci::Spec spec;
  plan::HostFacts host;
  plan::LaunchPlan launch;  // tightened by the guard's profile
  guard::GuardPlan guard;
  ExplainWish wish;
  oci::Resources resources;  // with the limits of the guard's profile
  cgroup::Host cgroup_host;
  cgroup::Plan cgroup;
};

struct ContainerPlanInputs {
  const Context* context = nullptr;
  const CreateOptions* options = nullptr;
  std::vector<int> descriptors;  // of take_descriptors()
};
Result<std::unique_ptr<ContainerPlan>> plan_container(const ContainerPlanInputs& inputs);

// True for a user whose guard profile asks for limits that a cgroup has to hold.
bool may_do_without_cgroup_limits(const ContainerPlan& plan);
// Another plan where such a user has no cgroup to limit, which is why: the profile's limits hold
// for each process, and the cgroup is the one that config.json asks for. The user is told.
Result<std::unique_ptr<ContainerPlan>> plan_without_cgroup_limits(
    const ContainerPlanInputs& inputs, std::unique_ptr<ContainerPlan> plan, const Error& why);

// The judge of the plan; null where there is nothing for one to do.
const guard::Judge* judge_of(const ContainerPlan& plan);
// True where pids.limit is too low for the guard's own process: the limit is exact only when that
// has ended.
bool shares_process_limit(const ContainerPlan& plan);

}  // namespace langsbx::runtime
