// create's work, in order: plan, claim, cgroup, launch, record.
#include "runtime/launch/prepare.h"

#include <ctime>

#include "runtime/base/trace.h"
#include "runtime/guard/guard_record.h"
#include "runtime/guard/verdict_log.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/notify_socket.h"
#include "runtime/launch/record.h"
#include "runtime/launch/self_protection.h"

namespace langsbx::runtime {
namespace {

// Without the annotations: the config beside it has them.
void begin_record(const PrepareInputs& inputs, const ContainerPlan& plan, state::Record& record) {
  const auto& options = *inputs.plan.options;
  const auto& spec = plan.spec;
  record.id = options.id;
  record.oci_version = spec.oci_version;
  record.bundle = plan.bundle;
  record.rootfs = plan.launch.rootfs.path;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  record.created = oci::rfc3339_nano(now);
  record.runtime_name = inputs.plan.context->runtime_name;
  record.rootless = plan.host.rootless;
  record.no_pivot = options.no_pivot;
  record.no_new_keyring = options.no_new_keyring;
  record.terminal = spec.process->terminal;
  record.asks_config =
      !spec.hooks.poststart.empty() || !spec.hooks.poststop.empty() ||
      (spec.linux_ && spec.linux_->seccomp && !spec.linux_->seccomp->listener_path.empty());
  record.cgroup = cgroup::to_json(cgroup::planned_record(plan.cgroup));
  if (plan.launch.intel_rdt) {
    record.resctrl_directory = planned_resctrl_directory(*plan.launch.intel_rdt, options.id);
  }
}

// The directory and the record in it; the id is taken from here on.
Result<void> claim_container(const PrepareInputs& inputs, const ContainerPlan& plan,
                             Opened& opened) {
  const trace::Span phase("state");
  const auto& options = *inputs.plan.options;
  opened.container = TRY(state::Store(inputs.plan.context->root).claim(options.id));
  begin_record(inputs, plan, opened.record);
  if (const auto* const judge = judge_of(plan)) {
    const auto facts = guard::facts_of(options.id, plan.spec.annotations);
    TRY((*judge)->record_into(opened.container.fd(), facts, plan.host.rootless));
    opened.record.guard = (*judge)->settings();
  }
  return open_notify_socket(opened.container, opened.record);
}

// Version 1: nothing of it is needed for the clone. What is watched does not run ahead, a user's
// cgroups may have to be planned anew, systemd takes a process, and network devices need a
// namespace that is there.
bool may_be_made_beside(const ContainerPlan& plan) {
  const auto planned = cgroup::planned_record(plan.cgroup);
  const bool version_1 = planned.mode == cgroup::Mode::kV1 || planned.mode == cgroup::Mode::kHybrid;
  return version_1 && planned.unit.empty() && !planned.rootless && !plan.wish.any() &&
         plan.launch.namespaces.joins.empty() && plan.launch.net_devices.empty();
}

// Whether nothing is left to be done between init's setting up and its program.
// Whoever watches the program's time has to be there before it starts.
bool has_time_limit(const state::Record& record) {
  const auto guard = guard::guard_record_from_json(record.guard);
  return !guard.ok() || guard->wall_time || guard->cpu_time;
}

bool may_start_at_once(const PrepareInputs& inputs, const ContainerPlan& plan,
                       const state::Record& record) {
  const auto& hooks = plan.launch.hooks;
  return !inputs.gate_by_socket && !plan.wish.any() && !shares_process_limit(plan) &&
         hooks.prestart.empty() && hooks.create_runtime.empty() &&
         !plan.launch.program.seccomp.has_listener() && record.notify_socket.empty() &&
         !has_time_limit(record);
}

// Before anything else is made: whoever finds what a killed create left knows where to look.
Result<void> write_first_state(const ContainerPlan& plan, Opened& opened) {
  TRY(opened.container.write_config(plan.config));
  return opened.container.write_record(opened.record);
}

// A user without one to limit gets those limits that need none.
Result<void> make_cgroup(const PrepareInputs& inputs, std::unique_ptr<ContainerPlan>& plan,
                         Opened& opened) {
  const trace::Span phase("cgroup: make");
  TRY(write_first_state(*plan, opened));
  auto made = opened.group.make();
  if (made.ok()) return {};
  if (!may_do_without_cgroup_limits(*plan)) return made;
  plan = TRY(plan_without_cgroup_limits(inputs.plan, std::move(plan), made.error()));
  opened.group = cgroup::planned(plan->cgroup);
  opened.record.cgroup = cgroup::to_json(opened.group.record());
  TRY(write_first_state(*plan, opened));
  return opened.group.make().ok() ? Result<void>() : made;
}

// Beside init's work on its namespaces. One record does for both, the first and the last, since the
// process is known; but not what is made of intelRdt.
Result<void> make_cgroup_beside_init(const ContainerPlan& plan, Opened& opened,
                                     const Launched& launched) {
  const trace::Span phase("state, cgroup: make");
  if (plan.launch.intel_rdt) {
    TRY(write_first_state(plan, opened));
  } else {
    TRY(opened.container.write_config(plan.config));
    TRY(stage_record(plan, opened, launched));
  }
  return opened.group.make_beside_init();
}

// Annotations may be megabytes, and only hooks are told of them.
oci::State hook_state(const state::Record& record, const oci::Spec& spec) {
  oci::State state;
  state.oci_version = record.oci_version;
  state.id = record.id;
  state.status = oci::Status::kCreating;
  state.bundle = record.bundle;
  if (isolate::has_hooks_before_start(spec.hooks)) state.annotations = spec.annotations;
  return state;
}

// The terminal's master goes to the client's socket, or to our own relay.
Result<UniqueFd> connect_console(const PrepareInputs& inputs, bool terminal) {
  const auto& path = inputs.plan.options->console_socket;
  if (inputs.relay) return UniqueFd();
  if (terminal && path.empty()) {
    const std::string verb = inputs.plan.options->detach ? "--detach" : "create";
    return make_error(
        ErrorKind::kInvalidInput,
        inputs.plan.context->acts_as_crun()
            ? "use --console-socket with " + verb + " when a terminal is used"
            : "cannot allocate tty if runtime will detach without setting console socket");
  }
  if (!terminal && !path.empty()) {
    return make_error(ErrorKind::kInvalidInput,
                      "cannot use console socket if runtime will not detach or allocate tty");
  }
  if (path.empty()) return UniqueFd();
  return TRY_CONTEXT(connect_stream(path), "--console-socket");
}

// What stays open until init has its copies.
struct LaunchFiles {
  isolate::HookOutput hook_output;
  UniqueFd console;
  UniqueFd start_listener;
};

Result<LaunchFiles> open_launch_files(const PrepareInputs& inputs, const ContainerPlan& plan,
                                      const Opened& opened) {
  LaunchFiles files;
  if (isolate::has_hooks_before_start(plan.launch.hooks)) {
    files.hook_output = TRY(isolate::open_hook_output(plan.spec.annotations));
  }
  files.console = TRY(connect_console(inputs, plan.launch.program.terminal));
  if (inputs.gate_by_socket) {
    files.start_listener = TRY(listen_message(opened.container.fd(), state::kStartSocket));
  }
  return files;
}

Result<InitDescriptors> init_descriptors(const PrepareInputs& inputs, const ContainerPlan& plan,
                                         const Opened& opened, const LaunchFiles& files) {
  InitDescriptors descriptors;
  descriptors.start_listener = files.start_listener.get();
  descriptors.relays_console = inputs.relay && plan.launch.program.terminal;
  descriptors.console_socket =
      descriptors.relays_console ? TRY(inputs.relay()) : files.console.get();
  descriptors.lock = opened.container.fd();
  descriptors.leaked = inputs.leaked_descriptors;
  return descriptors;
}

// From the clone to an init that is ready.
Result<void> carry_out(const PrepareInputs& inputs, const LaunchInputs& launch,
                       Prepared& prepared) {
  const auto& plan = *prepared.plan;
  auto& opened = prepared.opened;
  auto& launched = prepared.launched;
  launched = TRY(clone_init(launch));
  if (!opened.group.made()) TRY(make_cgroup_beside_init(plan, opened, launched));
  if (plan.wish.any()) {
    prepared.explaining = TRY(Explaining::start(plan.wish, plan.launch.program, launched.init.pid(),
                                                opened.container.fd()));
  }
  TRY(equip_init(launch, launched));
  // A program that is started at once finds its container recorded.
  if (launch.order.starts_at_once) TRY(publish_record(inputs, prepared));
  TRY(let_proceed(launch, launched));
  if (!opened.record.complete) TRY(stage_record(plan, opened, launched));
  return await_ready(launch, launched);
}

Result<void> launch_container(const PrepareInputs& inputs, Prepared& prepared) {
  const auto& plan = *prepared.plan;
  auto& opened = prepared.opened;
  const auto files = TRY(open_launch_files(inputs, plan, opened));
  const LaunchInputs launch{&plan.launch,
                            &plan.host,
                            &plan.guard,
                            &plan.cgroup_host,
                            &opened.group,
                            prepared.order,
                            TRY(init_descriptors(inputs, plan, opened, files)),
                            {hook_state(opened.record, plan.spec), &files.hook_output, {}}};
  TRY_CONTEXT(carry_out(inputs, launch, prepared),
              "unable to start container process: error during container init");
  return {};
}

// The guard's own process has ended; from here on the limit is exact.
Result<void> limit_processes(const ContainerPlan& plan, cgroup::Cgroup& group) {
  if (!shares_process_limit(plan) || !group.exists()) return {};
  oci::Resources exact;
  exact.pids_limit = plan.resources.pids_limit;
  return group.update(exact);
}

}  // namespace

Result<std::unique_ptr<Prepared>> prepare(const PrepareInputs& inputs) {
  auto prepared = std::make_unique<Prepared>();
  auto& opened = prepared->opened;
  auto plan = TRY(plan_container(inputs.plan));
  TRY(protect_from_container({&plan->launch.program.landlock,
                              plan->launch.namespaces.joins_type(oci::NamespaceType::kPid),
                              inputs.plan.descriptors}));
  TRY(claim_container(inputs, *plan, opened));
  opened.group = cgroup::planned(plan->cgroup);
  prepared->order.init_makes_namespaces = may_be_made_beside(*plan);
  prepared->order.starts_at_once = may_start_at_once(inputs, *plan, opened.record);
  if (!prepared->order.init_makes_namespaces) TRY(make_cgroup(inputs, plan, opened));
  prepared->plan = std::move(plan);
  TRY(launch_container(inputs, *prepared));
  TRY(limit_processes(*prepared->plan, opened.group));
  if (!prepared->order.starts_at_once) TRY(publish_record(inputs, *prepared));
  return prepared;
}

void commit(Prepared& prepared) {
  prepared.opened.container.commit();
  prepared.opened.group.commit();
  prepared.launched.resctrl.keep();
}

void warn(const Context& context, const std::vector<std::string>& warnings) {
  if (context.warnings == nullptr) return;
  context.warnings->insert(context.warnings->end(), warnings.begin(), warnings.end());
}

}  // namespace langsbx::runtime
