// One sandbox, from nothing to nothing.
#include "runtime/execute/sandbox.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>

#include "runtime/execute/artifacts.h"
#include "runtime/execute/light_folder.h"
#include "runtime/execute/sandbox_cgroup.h"
#include "runtime/execute/streams.h"
#include "runtime/execute/tiers.h"
#include "runtime/execute/without_cgroup.h"
#include "runtime/explain/observer.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/launch.h"
#include "runtime/launch/start_program.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::execute {
namespace {

using Clock = std::chrono::steady_clock;

Result<void> plan_confinement(const Program& program, const oci::Spec& spec,
                              const plan::HostFacts& host, const std::string& state_root,
                              plan::ProgramPlan& plan) {
  confine::LandlockInputs landlock;
  landlock.spec = &spec;
  landlock.program = program.landlock;
  landlock.abi = host.landlock_abi;
  landlock.guarded = true;
  if (program.landlock_required) landlock.mode = confine::LandlockMode::kRequired;
  plan.landlock = TRY(confine::plan_landlock(landlock));
  std::vector<confine::SeccompSource> filters;
  TRY(hold_without_cgroup(program, plan, filters));
  plan.seccomp = TRY(plan_seccomp_for(program, filters, state_root));
  return {};
}

Enforced enforced_by(const plan::LaunchPlan& launch, const Program& program,
                     const SandboxCgroup& cgroup) {
  Enforced enforced;
  const auto& landlock = launch.program.landlock;
  if (landlock.abi > 0 && !landlock.empty()) {
    enforced.landlock.clear();
    for (const auto& layer : landlock.layers) {
      enforced.landlock += (enforced.landlock.empty() ? "" : "+") + layer.name;
    }
    enforced.landlock += ", ABI " + std::to_string(landlock.abi);
  }
  enforced.seccomp = program.seccomp;
  enforced.cgroup = cgroup.controllers;
  enforced.namespaces = {"pid", "mount", "ipc", "uts"};
  if (program.network != Network::kHost) enforced.namespaces.emplace_back("network");
  if (program.rootless) enforced.namespaces.emplace_back("user");
  enforced.no_new_privs = launch.program.no_new_privileges;
  return enforced;
}

struct Running {
  runtime::Launched launched;
  Streams streams;
  UniqueFd report;
  explain::Observer observer;
  UniqueFd work;      // the program's directory
  UniqueFd listener;  // of the proxy, in the program's network namespace
  bool starts_at_once = false;
};

// In the container: what the supervisor could not reach from outside, where it is no root.
Result<void> hand_out(const Program& program, int socket) {
  const auto work = TRY(open_file(std::string(kWorkFolder), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (const auto* const prepared = program.prepared.get()) {
    TRY_CONTEXT(copy_left(prepared->work.directory.get(), prepared->files, work.get(),
                          Owner{program.uid, program.gid}),
                "--setup");
  }
  UniqueFd listener;
  std::vector<int> descriptors = {work.get()};
  if (program.network == Network::kProxy) {
    listener = TRY_CONTEXT(egress::open_listener(), "proxy");
    descriptors.push_back(listener.get());
  }
  return send_packet(socket, "opened", descriptors);
}

Result<void> take_handed(int socket, Running& running) {
  auto packet = TRY(receive_packet(socket));
  auto& descriptors = packet.descriptors;
  if (descriptors.empty()) return make_error(ErrorKind::kInternal, "no work directory");
  running.work = std::move(descriptors[0]);
  if (descriptors.size() > 1) running.listener = std::move(descriptors[1]);
  return {};
}

Result<Running> launch(const SandboxOptions& options, plan::LaunchPlan& plan,
                       const plan::HostFacts& host, SandboxCgroup& cgroup, const Program& program) {
  auto report = TRY(make_pipe());
  auto streams = TRY(options.tty ? ProgramStreams::make_terminal()
                                 : ProgramStreams::make(options.stdin_fd >= 0));
  const auto handed = TRY(make_message_pair());
  const guard::GuardPlan judged = guard::JudgedByParent{};
  runtime::LaunchInputs inputs;
  inputs.plan = &plan;
  inputs.guard = &judged;
  inputs.host = &host;
  inputs.cgroup_host = &cgroup.host;
  inputs.cgroup = &cgroup.group;
  inputs.hooks.state.id = program.id;
  inputs.hooks.inside = [&] { return hand_out(program, handed.second.get()); };
  inputs.descriptors.report = report.write_end.get();
  inputs.descriptors.report_reader = report.read_end.get();
  // The source is judged beside init's work; but to be watched from its first step, init waits.
  inputs.order.init_makes_namespaces = !options.explain;
  // Cleared by then; what a proxy lets through must find it.
  inputs.order.starts_at_once = program.network != Network::kProxy && !options.explain;
  if (options.explain) TRY(ask_clearance(options));
  auto cloned = runtime::clone_init(inputs);
  auto restored = streams.restore();
  if (!cloned.ok()) return cloned.release_error();
  TRY(std::move(restored));
  Running running{cloned.release_value(),
                  std::move(streams.ours),
                  std::move(report.read_end),
                  {},
                  UniqueFd(),
                  UniqueFd()};
  auto& launched = running.launched;
  if (options.explain) {
    running.observer =
        TRY(watch_refusals(plan.program.seccomp, plan.program.landlock, launched.init.pid()));
  } else {
    TRY(ask_clearance(options));
  }
  TRY(equip_init(inputs, launched));
  TRY(let_proceed(inputs, launched));
  TRY(await_ready(inputs, launched));
  running.starts_at_once = inputs.order.starts_at_once;
  TRY(take_handed(handed.first.get(), running));
  running.streams.capture = options.capture;
  running.streams.source = options.stdin_fd;
  return running;
}

void add_warnings(const plan::LaunchPlan& launch, const SandboxCgroup& cgroup, SandboxRun& run) {
  run.warnings = launch.program.warnings;
  const auto& landlock = launch.program.landlock;
  run.warnings.insert(run.warnings.end(), landlock.unenforced.begin(), landlock.unenforced.end());
  if (landlock.abi == 0) run.warnings.emplace_back("this kernel has no Landlock");
  // Why not is what the record's `enforced` says.
  if (!cgroup.group.exists()) {
    run.warnings.emplace_back(
        "no cgroup can be made here: memory, processes and time are counted, --cpus is whole ones");
  }
  for (const auto& warning : cgroup.group.warnings()) run.warnings.push_back(warning);
}

// What a host says that has no room for containers, or a container that may not make others.
bool is_refusal(const Error& error) {
  switch (error.errno_value) {
    case EPERM:
    case EACCES:
    case ENOSYS:
    case ENOSPC:  // user.max_user_namespaces
    case EUSERS:
      return true;
    default:
      return false;
  }
}

Result<SandboxRun> not_launched(Error error) {
  SandboxRun run;
  run.rejected = error.kind == ErrorKind::kRefused;
  if (run.rejected) return run;
  if (!is_refusal(error)) return error;
  run.refused = std::move(error);
  return run;
}

// Whoever writes in the root that the caller named must not turn a folder into a link while we look
// elsewhere: what it leads to on the host would be mounted.
void keep_sources_below(const std::string& rootfs, plan::RootfsPlan& plan) {
  if (rootfs.empty()) return;
  for (auto& step : plan.mounts) {
    if (step.options.bind && step.source.starts_with(rootfs + "/")) step.source_folder = rootfs;
  }
}

// To the kernel the program is who we are: owners and modes keep nothing from it.
void fix_files(const Program& program, plan::RootfsPlan& plan) {
  for (const auto& placed : program.files) {
    if (!placed.fixed || !is_below(placed.path, program.places.work)) continue;
    const bool folder = placed.kind == Placed::Kind::kFolder;
    (folder ? plan.fixed_folders : plan.fixed_files).push_back(placed.path);
  }
}

Result<plan::LaunchPlan> plan_launch(const Program& program, const oci::Spec& spec,
                                     const plan::HostFacts& host, const std::string& state_root) {
  plan::PlanInputs inputs;
  inputs.spec = &spec;
  inputs.host = &host;
  inputs.id = program.id;
  inputs.bundle = "/";
  inputs.state_root = state_root;
  auto plan = TRY(plan::make_plan(inputs));
  limit_last(plan.program);
  keep_sources_below(program.rootfs, plan.rootfs);
  plan.rootfs.in_memory = true;
  leave_out_devices(program, plan.rootfs.devices);
  plan.rootfs.files = sandbox_files(program);
  if (program.rootless) fix_files(program, plan.rootfs);
  TRY(plan_confinement(program, spec, host, state_root, plan.program));
  return plan;
}

void collect(const Program& program, UniqueFd work, SandboxRun& run) {
  const auto disk = disk_use(work.get());
  run.outcome.usage.disk = without_own(program, disk.bytes);
  run.outcome.disk_full = disk.full;
  run.work.directory = std::move(work);
}

}  // namespace

// Neither ours nor the program's.
uid_t proxy_uid() {
  constexpr uid_t kBesideTheProgram = 1U << 23U;
  return own_uid() + kBesideTheProgram;
}

uid_t own_uid() {
  constexpr uid_t kFirst = 0x70000000;
  return kFirst + static_cast<uid_t>(::getpid());
}

Result<void> ask_clearance(const SandboxOptions& options) {
  if (!options.cleared || options.cleared()) return {};
  return make_error(ErrorKind::kRefused, "the guard refuses the program");
}

void limit_last(plan::ProgramPlan& plan) {
  constexpr rlim_t kForUs = 64;
  for (auto& entry : plan.rlimits) {
    if (entry.resource != RLIMIT_NOFILE) continue;
    plan.lowered_rlimits.push_back(entry);
    entry.value = {std::max(entry.value.rlim_cur, kForUs), std::max(entry.value.rlim_max, kForUs)};
  }
  const auto files = std::stable_partition(
      plan.rlimits.begin(), plan.rlimits.end(),
      [](const confine::RlimitEntry& entry) { return entry.resource != RLIMIT_FSIZE; });
  std::move(files, plan.rlimits.end(), std::back_inserter(plan.lowered_rlimits));
  plan.rlimits.erase(files, plan.rlimits.end());
}

// The first process is ours and makes the program.
Result<explain::Observer> watch_refusals(const confine::SeccompPlan& seccomp,
                                         const confine::LandlockPlan& landlock, pid_t first) {
  return explain::Observer::start({first, &seccomp, &landlock, true}, -1);
}

Result<confine::SeccompPlan> plan_seccomp_for(const Program& program,
                                              const std::vector<confine::SeccompSource>& more,
                                              const std::string& state_root) {
  const auto profile = confine::builtin_seccomp_profile(program.seccomp);
  if (!profile) {
    return make_error(ErrorKind::kInvalidInput,
                      "seccomp: there is no profile \"" + program.seccomp + "\"");
  }
  std::vector<confine::SeccompSource> sources = {{program.seccomp, {}, *profile}};
  sources.insert(sources.end(), more.begin(), more.end());
  confine::SeccompOptions options;
  options.cache_directory = state_root + "/.cache/seccomp";
  return confine::plan_seccomp(sources, options);
}

Result<SandboxRun> run_in_container(Program program, const SandboxOptions& options) {
  const auto begin = Clock::now();
  const auto host = TRY(plan::read_host_facts({}));
  program.rootless = host.rootless;
  program.uid = host.rootless ? 0 : own_uid();
  program.gid = program.uid;
  const auto signals = TRY(catch_signals());
  const auto first = sandbox_spec(program);
  auto cgroup = TRY(make_sandbox_cgroup(program.id, *first.linux_->resources, program.rootless));
  program.has_cgroup = cgroup.group.exists();
  const auto spec = program.has_cgroup ? sandbox_spec(program) : first;
  auto launch_plan = TRY(plan_launch(program, spec, host, options.state_root));
  auto launched = launch(options, launch_plan, host, cgroup, program);
  if (!launched.ok()) return not_launched(launched.release_error());
  auto running = launched.release_value();
  auto& init = running.launched.init;
  egress::Proxy proxy;
  if (program.network == Network::kProxy) {
    proxy =
        TRY(egress::Proxy::start(std::move(running.listener), proxy_uid(), *program.allowed_hosts));
  }
  TRY(runtime::start_init(running.launched.channel,
                          {&launch_plan.program.seccomp, {}, running.starts_at_once}));
  SandboxRun run;
  run.setup_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count());
  sweep_left_folders();
  sweep_left_cgroups(cgroup);
  Gauge gauge(cgroup.group, init.pid(), program.limits.memory);
  Watched watched{&init, running.report.get(), signals.get(), &gauge, &program.limits};
  watched.events = options.events;
  watched.proxy = &proxy;
  run.outcome = TRY(watch(watched, std::move(running.streams)));
  TRY(init.wait());
  TRY(end_is_known(run.outcome));
  if (options.explain) run.explained = TRY(running.observer.finish());
  collect(program, std::move(running.work), run);
  run.enforced = enforced_by(launch_plan, program, cgroup);
  add_warnings(launch_plan, cgroup, run);
  return run;
}

Result<SandboxRun> run_sandboxed(Program program, const SandboxOptions& options) {
  if (program.network == Network::kProxy && program.tier != Tier::kContainer) {
    return make_error(
        ErrorKind::kUnsupported,
        "--network proxy needs a container: in another tier nothing but the program's "
        "good will would keep it to the proxy (Landlock knows ports, no addresses)");
  }
  if (program.landlock_required) {
    if (program.tier == Tier::kMaximum || program.tier == Tier::kOff) {
      return make_error(ErrorKind::kUnsupported,
                        "--isolation " + std::string(to_string(program.tier)) +
                            ": Landlock is required, and this tier has none");
    }
    program.landlock.best_effort = false;
  }
  switch (program.tier) {
    case Tier::kContainer:
      return run_in_container(std::move(program), options);
    case Tier::kMaximum:
      return run_maximum(std::move(program), options);
    case Tier::kLight:
    case Tier::kOff:
      break;
  }
  return run_light(std::move(program), options);
}

}  // namespace langsbx::execute
