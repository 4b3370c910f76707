// Reading the bundle, then planning launch, guard and cgroup.
#include "runtime/launch/container_plan.h"

#include <algorithm>
#include <utility>

#include "oci/reader.h"
#include "oci/validate.h"
#include "runtime/base/trace.h"
#include "runtime/guard/limits.h"
#include "runtime/guard/make_gate.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"
#include "runtime/launch/delegation.h"
#include "runtime/launch/descriptors.h"
#include "runtime/launch/notify_socket.h"
#include "runtime/launch/prepare.h"
#include "runtime/launch/self_protection.h"

namespace langsbx::runtime {
namespace {

Result<std::string> absolute_bundle(const std::string& bundle) {
  auto path = real_directory(bundle);
  if (!path.ok()) return system_error("bundle " + bundle, path.error().errno_value);
  return path;
}

Result<std::string> read_config(const CreateOptions& options, const std::string& bundle,
                                const std::vector<int>& descriptors) {
  TRY(protect_before_reading(options.config_file, descriptors));
  const std::string path =
      options.config_file.empty() ? bundle + "/config.json" : options.config_file;
  return read_file(path);
}

// With what this call adds to the program's environment and mounts.
Result<oci::Spec> read_container_spec(const ContainerPlanInputs& inputs,
                                      const std::string& config) {
  const auto& context = *inputs.context;
  auto spec = TRY(oci::read_spec(config, "config.json"));
  TRY_CONTEXT(oci::validate(spec), "config.json");
  if (!oci::is_supported_version(spec.oci_version)) {
    warn(context, {"config.json: ociVersion: unsupported version \"" + spec.oci_version +
                   "\" (expected 1.x); read as 1.3"});
  }
  TRY(state::check_id(inputs.options->id, context.acts_as_crun()));
  TRY(add_notify_socket(spec, context.root, inputs.options->id, context.runtime_name));
  TRY(add_listen_variables(spec.process->env, context.acts_as_crun()));
  return spec;
}

// What is known once the bundle is read.
struct ReadBundle {
  std::string bundle;
  std::string config;
  oci::Spec spec;
  plan::HostFacts host;
  ExplainWish wish;
};

Result<ReadBundle> read_bundle(const ContainerPlanInputs& inputs) {
  const auto& options = *inputs.options;
  ReadBundle read;
  read.bundle = TRY(absolute_bundle(options.bundle));
  read.config = TRY(read_config(options, read.bundle, inputs.descriptors));
  read.spec = TRY(read_container_spec(inputs, read.config));
  read.host = TRY(plan::read_host_facts(inputs.context->rootless));
  read.wish = TRY(explain_wish(options.explain, options.explain_file, read.spec.annotations));
  return read;
}

Result<plan::LaunchPlan> plan_launch(const ContainerPlanInputs& inputs, const ReadBundle& read,
                                     const guard::Administrator& administrator) {
  const auto& options = *inputs.options;
  const auto& context = *inputs.context;
  plan::PlanInputs plan_inputs{&read.spec,
                               &read.host,
                               options.id,
                               read.bundle,
                               context.root,
                               options.no_pivot,
                               options.no_new_keyring,
                               inputs.descriptors};
  plan_inputs.acts_as_crun = context.acts_as_crun();
  plan_inputs.acts_as_runc = context.acts_as_runc();
  plan_inputs.landlock_mode =
      TRY(guard::settle_landlock(administrator, context.landlock, read.spec.annotations));
  // A user without rights has no device cgroup, and can open no node that he makes either.
  plan_inputs.devices_judged =
      context.cgroup_manager != cgroup::Manager::kDisabled && !read.host.rootless;
  plan_inputs.log_denials = read.wish.any();
  auto launch = TRY(plan::make_plan(plan_inputs));
  warn(context, launch.program.warnings);
  return launch;
}

// Tightens program and resources where a profile is enforced.
Result<guard::GuardPlan> plan_guard(const ContainerPlanInputs& container, const ReadBundle& read,
                                    const guard::Administrator& administrator,
                                    plan::ProgramPlan& program, oci::Resources& resources) {
  const auto& context = *container.context;
  guard::GateInputs inputs;
  inputs.administrator = &administrator;
  inputs.spec = &read.spec;
  inputs.program = &program;
  inputs.resources = &resources;
  inputs.facts = guard::facts_of(container.options->id, read.spec.annotations);
  inputs.user = read.host.rootless;
  inputs.profile_flag = context.guard_profile;
  inputs.state_root = context.root;
  inputs.warnings = context.warnings;
  auto guard = TRY(guard::make_gate(inputs));
  warn(context, program.landlock.warnings);
  return guard;
}

oci::Resources resources_of(const oci::Spec& spec) {
  return spec.linux_ && spec.linux_->resources ? *spec.linux_->resources : oci::Resources();
}

Result<cgroup::Plan> plan_cgroup(const ContainerPlanInputs& inputs, const ContainerPlan& plan,
                                 const oci::Resources& resources) {
  cgroup::Config config;
  config.manager = inputs.context->cgroup_manager;
  config.id = inputs.options->id;
  config.rootless = plan.host.rootless;
  config.resources = &resources;
  config.annotations = &plan.spec.annotations;
  if (plan.spec.linux_) config.path = plan.spec.linux_->cgroups_path;
  config.delegate_to = delegate_owner(plan.spec, plan.launch);
  return cgroup::plan(config, plan.cgroup_host);
}

// Places for the guard's own process, which is gone when the program starts.
oci::Resources with_room_for_guard(const ContainerPlan& plan) {
  auto resources = plan.resources;
  if (judge_of(plan) != nullptr && resources.pids_limit && *resources.pids_limit > 0) {
    resources.pids_limit = std::max(*resources.pids_limit, guard::kProcessesOfGuard);
  }
  return resources;
}

}  // namespace

const guard::Judge* judge_of(const ContainerPlan& plan) {
  return std::get_if<guard::Judge>(&plan.guard);
}

bool shares_process_limit(const ContainerPlan& plan) {
  const auto limit = plan.resources.pids_limit.value_or(0);
  return judge_of(plan) != nullptr && limit > 0 && limit < guard::kProcessesOfGuard;
}

Result<std::unique_ptr<ContainerPlan>> plan_container(const ContainerPlanInputs& inputs) {
  const auto& context = *inputs.context;
  trace::Span phase("parse");
  auto read = TRY(read_bundle(inputs));
  phase.next("plan");
  const auto administrator = TRY(guard::administrator_of(guard::kConfigFile));
  auto launch = TRY(plan_launch(inputs, read, administrator));
  phase.next("plan: guard, cgroup");
  auto resources = resources_of(read.spec);
  auto guard = TRY(plan_guard(inputs, read, administrator, launch.program, resources));
  auto plan = std::make_unique<ContainerPlan>(
      ContainerPlan{std::move(read.bundle), std::move(read.config), std::move(read.spec),
                    std::move(read.host), std::move(launch), std::move(guard), std::move(read.wish),
                    std::move(resources), TRY(cgroup::detect()), cgroup::Plan()});
  auto cgroup = plan_cgroup(inputs, *plan, with_room_for_guard(*plan));
  if (!cgroup.ok() && may_do_without_cgroup_limits(*plan)) {
    return plan_without_cgroup_limits(inputs, std::move(plan), cgroup.error());
  }
  plan->cgroup = TRY(std::move(cgroup));
  warn(context, plan->cgroup.warnings);
  return plan;
}

bool may_do_without_cgroup_limits(const ContainerPlan& plan) {
  const auto* const judge = judge_of(plan);
  return plan.host.rootless && judge != nullptr && (*judge)->limits().in_cgroup();
}

Result<std::unique_ptr<ContainerPlan>> plan_without_cgroup_limits(
    const ContainerPlanInputs& inputs, std::unique_ptr<ContainerPlan> plan, const Error& why) {
  auto cgroup = plan_cgroup(inputs, *plan, resources_of(plan->spec));
  if (!cgroup.ok()) return why;
  plan->cgroup = cgroup.release_value();
  warn(*inputs.context, plan->cgroup.warnings);
  guard::limit_program_memory((*judge_of(*plan))->limits(), plan->launch.program);
  warn(*inputs.context, {"guard: the profile's limits on the whole container are not in force, "
                         "only those on its processes: " +
                         why.to_string()});
  return plan;
}

}  // namespace langsbx::runtime
