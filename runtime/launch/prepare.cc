// create's work: read, plan, claim, cgroup, launch, record.
#include "runtime/launch/prepare.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "oci/reader.h"
#include "oci/validate.h"
#include "runtime/base/trace.h"
#include "runtime/guard/limits.h"
#include "runtime/guard/make_gate.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/delegation.h"
#include "runtime/launch/descriptors.h"
#include "runtime/launch/notify_socket.h"
#include "runtime/launch/self_protection.h"
#include "runtime/launch/settle.h"

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

Result<cgroup::Plan> plan_cgroup(const PrepareInputs& inputs, const oci::Spec& spec,
                                 const plan::LaunchPlan& launch, const plan::HostFacts& host,
                                 const cgroup::Host& cgroup_host, const oci::Resources& resources) {
  cgroup::Config config;
  config.manager = inputs.context->cgroup_manager;
  config.id = inputs.options->id;
  config.rootless = host.rootless;
  config.resources = &resources;
  config.annotations = &spec.annotations;
  if (spec.linux_) config.path = spec.linux_->cgroups_path;
  config.delegate_to = delegate_owner(spec, launch);
  auto plan = TRY(cgroup::plan(config, cgroup_host));
  warn(*inputs.context, plan.warnings);
  return plan;
}

// Without the annotations: the config beside it has them.
void begin_record(const PrepareInputs& inputs, const oci::Spec& spec, const plan::HostFacts& host,
                  const std::string& bundle, state::Record& record) {
  record.id = inputs.options->id;
  record.oci_version = spec.oci_version;
  record.bundle = bundle;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  record.created = oci::rfc3339_nano(now);
  record.runtime_name = inputs.context->runtime_name;
  record.rootless = host.rootless;
  record.no_pivot = inputs.options->no_pivot;
  record.no_new_keyring = inputs.options->no_new_keyring;
  record.terminal = spec.process->terminal;
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
  const auto& path = inputs.options->console_socket;
  if (inputs.relay) return UniqueFd();
  if (terminal && path.empty()) {
    const std::string verb = inputs.options->detach ? "--detach" : "create";
    return make_error(
        ErrorKind::kInvalidInput,
        inputs.context->acts_as_crun()
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

// Whether the guard had to be given places of its own.
bool shares_process_limit(const Prepared& prepared, const oci::Resources& resources) {
  const auto limit = resources.pids_limit.value_or(0);
  return prepared.gate != nullptr && prepared.opened.group.exists() && limit > 0 &&
         limit < guard::kProcessesOfGuard;
}

// Whether nothing is left to be done between init's setting up and its program.
bool starts_at_once(const PrepareInputs& inputs, const Prepared& prepared, const ExplainWish& wish,
                    const oci::Resources& resources) {
  const auto& hooks = prepared.launch.hooks;
  return !inputs.gate_by_socket && !wish.any() && !shares_process_limit(prepared, resources) &&
         hooks.prestart.empty() && hooks.create_runtime.empty() &&
         !prepared.launch.program.seccomp.has_listener() &&
         prepared.opened.record.notify_socket.empty();
}

// Before anything else is made: whoever finds our remains knows where to look.
Result<void> write_first_state(state::Container& container, const state::Record& record,
                               const std::string& config) {
  TRY(container.write_config(config));
  return container.write_record(record);
}

// Here the process is known, so that one record does for both: staged, it is the first; in its
// place, the last. What is made of intelRdt is not known yet.
Result<void> write_state_at_birth(Prepared& prepared, const Launched& launched,
                                  const std::string& config) {
  auto& [container, record, group] = prepared.opened;
  if (prepared.launch.intel_rdt) return write_first_state(container, record, config);
  TRY(container.write_config(config));
  return stage_final_record(prepared, launched);
}

Result<void> launch_container(const PrepareInputs& inputs, Prepared& prepared,
                              const cgroup::Host& cgroup_host, const ExplainWish& wish,
                              const std::string& config, const oci::Resources& resources) {
  const auto hook_output = TRY(isolate::has_hooks_before_start(prepared.launch.hooks)
                                   ? isolate::open_hook_output(prepared.spec.annotations)
                                   : Result<isolate::HookOutput>(isolate::HookOutput()));
  const auto console = TRY(connect_console(inputs, prepared.launch.program.terminal));
  UniqueFd listener;
  if (inputs.gate_by_socket) {
    listener = TRY(listen_message(prepared.opened.container.fd(), state::kStartSocket));
  }
  LaunchInputs launch;
  launch.launch = &prepared.launch;
  launch.host = &prepared.host;
  launch.cgroup_host = &cgroup_host;
  launch.cgroup = &prepared.opened.group;
  if (!prepared.opened.group.made()) {
    launch.beside_birth = [&](const Launched& launched) -> Result<void> {
      trace::Span phase("state, cgroup: make");
      TRY(write_state_at_birth(prepared, launched, config));
      return prepared.opened.group.make_beside_init();
    };
  }
  launch.starts_at_once = starts_at_once(inputs, prepared, wish, resources);
  launch.meanwhile = [&](const Launched& launched) -> Result<void> {
    if (!prepared.opened.record.complete) TRY(stage_final_record(prepared, launched));
    return launch.starts_at_once ? settle(inputs, prepared) : Result<void>();
  };
  launch.state = hook_state(prepared.opened.record, prepared.spec);
  launch.start_listener = listener.valid() ? listener.get() : -1;
  launch.relays_console = inputs.relay && prepared.launch.program.terminal;
  launch.console_socket = launch.relays_console ? TRY(inputs.relay()) : console.get();
  launch.lock = prepared.opened.container.fd();
  launch.leaked_descriptors = inputs.leaked_descriptors;
  launch.gate = prepared.gate.get();
  launch.acts_as_crun = inputs.context->acts_as_crun();
  launch.hook_output = &hook_output;
  if (wish.any()) {
    launch.after_clone = [&](pid_t pid) -> Result<void> {
      prepared.explaining = TRY(
          Explaining::start(wish, prepared.launch.program, pid, prepared.opened.container.fd()));
      return {};
    };
  }
  prepared.launched = TRY_CONTEXT(launch_init(launch),
                                  "unable to start container process: error during container "
                                  "init");
  return {};
}

oci::Resources resources_of(const oci::Spec& spec) {
  return spec.linux_ && spec.linux_->resources ? *spec.linux_->resources : oci::Resources();
}

Result<std::unique_ptr<guard::Gate>> make_gate(const PrepareInputs& prepare, Prepared& prepared,
                                               const guard::Administrator& administrator,
                                               oci::Resources& resources) {
  const auto& context = *prepare.context;
  guard::GateInputs inputs;
  inputs.administrator = &administrator;
  inputs.spec = &prepared.spec;
  inputs.program = &prepared.launch.program;
  inputs.resources = &resources;
  inputs.facts = guard::facts_of(prepare.options->id, prepared.spec.annotations);
  inputs.user = prepared.host.rootless;
  inputs.profile_flag = context.guard_profile;
  inputs.state_root = context.root;
  inputs.warnings = context.warnings;
  return guard::make_gate(inputs);
}

struct Grouping {
  const PrepareInputs* inputs = nullptr;
  const oci::Spec* spec = nullptr;
  plan::LaunchPlan* launch = nullptr;
  const plan::HostFacts* host = nullptr;
  const cgroup::Host* cgroup_host = nullptr;
  state::Container* container = nullptr;
  state::Record* record = nullptr;
  const std::string* config = nullptr;
  bool watched = false;  // from the clone on
};

// Version 1: nothing of it is needed for the clone. What is watched does not run ahead, a user's
// cgroups may have to be planned anew, and systemd takes a process.
bool may_be_made_beside(const Grouping& grouping, const cgroup::Record& planned) {
  const bool version_1 = planned.mode == cgroup::Mode::kV1 || planned.mode == cgroup::Mode::kHybrid;
  return version_1 && planned.unit.empty() && !planned.rootless && !grouping.watched &&
         grouping.launch->namespaces.joins.empty();
}

Result<cgroup::Cgroup> make_group(const Grouping& grouping, const oci::Resources& resources) {
  auto group = cgroup::planned(TRY(plan_cgroup(*grouping.inputs, *grouping.spec, *grouping.launch,
                                               *grouping.host, *grouping.cgroup_host, resources)));
  grouping.record->cgroup = cgroup::to_json(group.record());
  if (may_be_made_beside(grouping, group.record())) return group;
  TRY(write_first_state(*grouping.container, *grouping.record, *grouping.config));
  TRY(group.make());
  return group;
}

// With the limits of the guard's profile. A user who has no cgroup to limit gets those that need
// none, and is told.
Result<cgroup::Cgroup> make_limited_group(const Grouping& grouping, oci::Resources resources,
                                          const guard::Gate* gate) {
  if (gate == nullptr) return make_group(grouping, resources);
  if (resources.pids_limit && *resources.pids_limit > 0) {
    resources.pids_limit = std::max(*resources.pids_limit, guard::kProcessesOfGuard);
  }
  auto group = make_group(grouping, resources);
  if (group.ok() || !grouping.host->rootless || !gate->limits().in_cgroup()) return group;
  auto without = make_group(grouping, resources_of(*grouping.spec));
  if (!without.ok()) return group;
  guard::limit_program_memory(gate->limits(), grouping.launch->program);
  warn(*grouping.inputs->context, {"guard: the profile's limits on the whole container are not in "
                                   "force, only those on its processes: " +
                                   group.error().to_string()});
  return without;
}

[[gnu::noinline]] Result<void> group_container(const Grouping& grouping,
                                               const oci::Resources& resources,
                                               const guard::Gate* gate, cgroup::Cgroup& group) {
  group = TRY(make_limited_group(grouping, resources, gate));
  return {};
}

// The guard's own process has ended; from here on the limit is exact.
Result<void> limit_processes(Prepared& prepared, const oci::Resources& resources) {
  if (!shares_process_limit(prepared, resources)) return {};
  oci::Resources exact;
  exact.pids_limit = resources.pids_limit;
  return prepared.opened.group.update(exact);
}

[[gnu::noinline]] Result<void> plan_launch(const PrepareInputs& inputs, const std::string& bundle,
                                           const guard::Administrator& administrator,
                                           Prepared& prepared) {
  const auto& options = *inputs.options;
  const auto& context = *inputs.context;
  auto& spec = prepared.spec;
  TRY(add_notify_socket(spec, context.root, options.id, context.runtime_name));
  TRY(add_listen_variables(spec.process->env, context.acts_as_crun()));
  plan::PlanInputs plan_inputs{&spec,
                               &prepared.host,
                               options.id,
                               bundle,
                               context.root,
                               options.no_pivot,
                               options.no_new_keyring,
                               inputs.descriptors};
  plan_inputs.acts_as_crun = context.acts_as_crun();
  plan_inputs.acts_as_runc = context.acts_as_runc();
  plan_inputs.landlock_mode =
      TRY(guard::settle_landlock(administrator, context.landlock, spec.annotations));
  // A user without rights has no device cgroup, and can open no node that he makes either.
  plan_inputs.devices_judged =
      context.cgroup_manager != cgroup::Manager::kDisabled && !prepared.host.rootless;
  auto& launch = prepared.launch;
  TRY(plan::make_plan(plan_inputs, launch));
  return protect_from_container({&launch.program.landlock,
                                 launch.namespaces.joins_type(oci::NamespaceType::kPid),
                                 plan_inputs.preserved_fds});
}

// Frames of their own for what is large for a moment: what lies on the stack when init is cloned is
// touched by both processes.
[[gnu::noinline]] Result<void> read_bundle(const PrepareInputs& inputs, const std::string& bundle,
                                           std::string& config, oci::Spec& spec) {
  config = TRY(read_config(*inputs.options, bundle, inputs.descriptors));
  TRY(oci::read_spec(config, "config.json", spec));
  TRY_CONTEXT(oci::validate(spec), "config.json");
  if (oci::is_supported_version(spec.oci_version)) return {};
  warn(*inputs.context, {"config.json: ociVersion: unsupported version \"" + spec.oci_version +
                         "\" (expected 1.x); read as 1.3"});
  return {};
}

[[gnu::noinline]] Result<void> claim_container(const PrepareInputs& inputs,
                                               const std::string& bundle, Prepared& prepared) {
  const auto& options = *inputs.options;
  auto& opened = prepared.opened;
  opened.container = TRY(state::Store(inputs.context->root).claim(options.id));
  auto& record = opened.record;
  begin_record(inputs, prepared.spec, prepared.host, bundle, record);
  record.rootfs = prepared.launch.rootfs.path;
  if (prepared.gate != nullptr) {
    const auto facts = guard::facts_of(options.id, prepared.spec.annotations);
    TRY(prepared.gate->record_into(opened.container.fd(), facts, prepared.host.rootless));
    record.guard = prepared.gate->settings();
  }
  TRY(open_notify_socket(opened.container, record));
  if (prepared.launch.intel_rdt) {
    record.resctrl_directory = planned_resctrl_directory(*prepared.launch.intel_rdt, options.id);
  }
  return {};
}

// `by_name`: without asking cgroup hierarchies what they are.
Result<void> prepare_once(const PrepareInputs& inputs, bool by_name, Prepared& prepared) {
  const auto& options = *inputs.options;
  const auto& context = *inputs.context;
  auto& [spec, host, launch, opened, launched, gate, explaining] = prepared;
  trace::Span phase("parse");
  const std::string bundle = TRY(absolute_bundle(options.bundle));
  std::string config;
  TRY(read_bundle(inputs, bundle, config, spec));
  TRY(state::check_id(options.id, context.acts_as_crun()));
  phase.next("plan");
  host = TRY(plan::read_host_facts(context.rootless));
  const auto administrator = TRY(guard::administrator_of(guard::kConfigFile));
  TRY(plan_launch(inputs, bundle, administrator, prepared));
  warn(context, launch.program.warnings);
  phase.next("plan: guard, cgroup");
  auto resources = resources_of(spec);
  gate = TRY(make_gate(inputs, prepared, administrator, resources));
  warn(context, launch.program.landlock.warnings);
  const auto cgroup_host =
      TRY(by_name && !host.rootless ? cgroup::detect_by_name() : cgroup::detect());
  const auto wish = TRY(explain_wish(options.explain, options.explain_file, spec.annotations));
  launch.program.landlock.log_denials = wish.any();
  phase.next("state");
  TRY(claim_container(inputs, bundle, prepared));
  phase.next("cgroup: make");
  const Grouping grouping{&inputs,           &spec,          &launch, &host,     &cgroup_host,
                          &opened.container, &opened.record, &config, wish.any()};
  TRY(group_container(grouping, resources, gate.get(), opened.group));
  phase.end();
  TRY(launch_container(inputs, prepared, cgroup_host, wish, config, resources));
  TRY(limit_processes(prepared, resources));
  if (launched.started) return {};
  phase.next("state");
  return settle(inputs, prepared);
}

}  // namespace

Result<void> prepare(const PrepareInputs& inputs, Prepared& prepared) {
  auto* const warnings = inputs.context->warnings;
  const auto told = warnings == nullptr ? 0 : warnings->size();
  auto done = prepare_once(inputs, true, prepared);
  if (done.ok() || cgroup::names_hold()) return done;
  // Everything of the attempt has to be gone before the next, and is not told twice.
  if (warnings != nullptr) warnings->resize(told);
  std::destroy_at(&prepared);
  std::construct_at(&prepared);
  return prepare_once(inputs, false, prepared);
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
