// The light tier: Landlock, seccomp and limits around one tree of processes, no namespaces.
#include <linux/capability.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "runtime/confine/scheduling.h"
#include "runtime/execute/light_folder.h"
#include "runtime/execute/light_init.h"
#include "runtime/execute/light_seccomp.h"
#include "runtime/execute/process_tree.h"
#include "runtime/execute/sandbox.h"
#include "runtime/execute/streams.h"
#include "runtime/execute/without_cgroup.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/own_status.h"
#include "runtime/kernel/session.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/host_setup.h"
#include "runtime/launch/start_program.h"

namespace langsbx::execute {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kScopeAbi = 6;

struct Light {
  plan::ProgramPlan program;
  confine::LandlockPlan tree;
  bool own_user = false;
  [[nodiscard]] bool scoped() const { return !tree.empty(); }
};

Result<void> plan_landlock(const Program& program, int abi, Light& light) {
  auto& plan = light.program.landlock;
  plan = {};
  plan.abi = abi;
  light.tree.abi = abi;
  if (program.tier == Tier::kOff) return {};
  if (abi == 0) {
    return make_error(ErrorKind::kUnsupported,
                      "--isolation light: this kernel has no Landlock, and there is nothing else "
                      "between the program and the host's files");
  }
  plan.layers.push_back(
      TRY(confine::landlock_program_layer(program.landlock, abi, plan.unenforced)));
  if (abi < kScopeAbi) {
    if (!program.landlock_required) return {};
    return make_error(ErrorKind::kUnsupported,
                      "--isolation light: Landlock is required, and this kernel's has no scopes");
  }
  confine::LandlockProgram tree;
  tree.origin = "process tree";
  tree.restrict_paths = false;
  light.tree.layers.push_back(
      TRY(confine::landlock_program_layer(tree, abi, light.tree.unenforced)));
  return {};
}

Result<Light> plan_light(Program& program, const plan::HostFacts& host,
                         const std::string& state_root) {
  Light light;
  light.own_user = may_change_user();
  program.uid = light.own_user ? own_uid() : host.euid;
  program.gid = light.own_user ? own_uid() : host.egid;
  // A limit per user counts what else the user runs; the supervisor counts the tree itself.
  struct sysinfo info {};
  ::sysinfo(&info);
  if (!light.own_user) program.processes_before = info.procs;
  oci::Spec spec;
  spec.process = sandbox_process(program);
  spec.root = oci::Root{"/", true};
  spec.annotations["io.langsbx.landlock"] = "off";  // layers of our own below
  plan::PlanInputs inputs;
  inputs.spec = &spec;
  inputs.host = &host;
  inputs.id = program.id;
  inputs.no_new_keyring = true;
  light.program = TRY(plan::plan_program(*spec.process, inputs, false));
  limit_last(light.program);
  if (!light.own_user) {
    // Nothing to give and no right to take it from the bounding set; no_new_privs makes that moot.
    confine::CapabilityPlan none;
    none.bounding = host.capabilities.bounding;
    light.program.identity.capabilities = none;
    light.program.identity.set_groups = false;
  }
  TRY(plan_landlock(program, host.landlock_abi, light));
  LightLimits limits;
  limits.network = program.network == Network::kHost;
  limits.named_sockets = confine::right_since(confine::LandlockKind::kFs,
                                              confine::fs::kResolveUnix) <= host.landlock_abi;
  // Compilers and the caller's own --setup mark what they make as executable.
  limits.own_files = light.own_user || program.is_tool;
  limits.own_signals = light.own_user || light.scoped();
  std::vector<confine::SeccompSource> filters = {light_seccomp(limits)};
  TRY(hold_without_cgroup(program, light.program, filters));
  if (program.tier == Tier::kLight) {
    light.program.seccomp = TRY(plan_seccomp_for(program, filters, state_root));
  }
  return light;
}

struct Running {
  ChildProcess init;
  handshake::Channel channel;
  Streams streams;
  UniqueFd report;
  explain::Observer observer;
};

// The tree's layer and the program's are one policy to who asks what was refused.
Result<explain::Observer> watch_light(const Light& light, pid_t init) {
  auto landlock = light.program.landlock;
  landlock.layers.insert(landlock.layers.end(), light.tree.layers.begin(), light.tree.layers.end());
  return watch_refusals(light.program.seccomp, landlock, init);
}

Result<Running> launch(const Light& light, const SandboxOptions& options) {
  TRY(confine::bear_ordinary_children());
  auto report = TRY(make_pipe());
  auto pair = TRY(make_message_pair());
  using handshake::Conversation;
  handshake::Channel child_channel(std::move(pair.second), handshake::Speaker::kInit,
                                   Conversation::kLaunch);
  auto streams = TRY(options.tty ? ProgramStreams::make_terminal()
                                 : ProgramStreams::make(options.stdin_fd >= 0));
  LightContext context;
  context.program = &light.program;
  context.tree = &light.tree;
  context.may_kill_all = light.own_user || light.scoped();
  context.channel = &child_channel;
  context.watched = options.explain;
  context.report = report.write_end.get();
  context.parents_descriptors = {pair.first.get(), report.read_end.get()};
  auto child = fork_child({}, [&] { return light_main(context); });
  auto restored = streams.restore();
  if (!child.ok()) return child.release_error();
  TRY(std::move(restored));
  Running running;
  running.init = child.release_value();
  running.channel = handshake::Channel(std::move(pair.first), handshake::Speaker::kRuntime,
                                       Conversation::kLaunch);
  running.streams = std::move(streams.ours);
  running.report = std::move(report.read_end);
  child_channel.close();
  running.streams.capture = options.capture;
  running.streams.source = options.stdin_fd;
  if (options.explain) running.observer = TRY(watch_light(light, running.init.pid()));
  TRY(runtime::equip_program(light.program, running.init.pid()));
  TRY(running.channel.send(handshake::Proceed{}));
  TRY(ask_clearance(options));
  TRY(running.channel.expect<handshake::Ready>());
  return running;
}

Enforced enforced_by(const Light& light, const Program& program) {
  Enforced enforced;
  const auto& landlock = light.program.landlock;
  if (!landlock.empty()) {
    enforced.landlock =
        std::string(light.scoped() ? "tree+" : "") + "program, ABI " + std::to_string(landlock.abi);
  }
  if (program.tier == Tier::kLight) enforced.seccomp = program.seccomp + "+light";
  enforced.cgroup = "none: not part of this tier";
  enforced.no_new_privs = light.program.no_new_privileges;
  return enforced;
}

// The reaper has ended the tree; what it could not reach, because it was killed itself, is ours by
// now (and so is the observer, which therefore ends first).
Result<void> end_of_tree(Running& running, SandboxRun& run) {
  TRY(running.init.wait());
  if (running.observer.is_watching()) run.explained = TRY(running.observer.finish());
  kill_descendants();
  return {};
}

}  // namespace

bool may_change_user() {
  if (::geteuid() != 0) return false;
  const auto status = read_own_status();
  if (!status.ok()) return false;
  for (const int number : {CAP_SETUID, CAP_SETGID, CAP_SETPCAP, CAP_CHOWN, CAP_KILL}) {
    if ((status->effective & (std::uint64_t{1} << static_cast<unsigned>(number))) == 0)
      return false;
  }
  return true;
}

Result<SandboxRun> run_light(Program program, const SandboxOptions& options) {
  const auto begin = Clock::now();
  const auto host = TRY(plan::read_host_facts({}));
  const auto signals = TRY(catch_signals());
  const auto light = TRY(plan_light(program, host, options.state_root));
  const auto folder =
      std::make_shared<const LightFolder>(TRY(LightFolder::make(program.base, program)));
  TRY(adopt_orphans());
  auto launched = launch(light, options);
  SandboxRun run;
  if (!launched.ok() && launched.error().kind == ErrorKind::kRefused) {
    run.rejected = true;
    return run;
  }
  auto running = TRY(std::move(launched));
  TRY(runtime::start_init(running.channel, {&light.program.seccomp, {}}));
  run.setup_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count());
  sweep_left_folders();
  cgroup::Plan no_plan;
  no_plan.manager = cgroup::Manager::kDisabled;
  const auto no_group = TRY(cgroup::create(std::move(no_plan)));
  Gauge gauge(no_group, running.init.pid(), program.limits.memory);
  Watched watched{&running.init, running.report.get(), signals.get(), &gauge, &program.limits};
  watched.end_signal = kEndOfTree;
  watched.disk = [&] { return folder_use(folder->work(), work_bytes(program)); };
  watched.events = options.events;
  run.outcome = TRY(watch(watched, std::move(running.streams)));
  TRY(end_of_tree(running, run));
  TRY(end_is_known(run.outcome));
  const auto disk = folder_use(folder->work(), work_bytes(program));
  run.outcome.usage.disk = without_own(program, std::max(run.outcome.usage.disk, disk.bytes));
  // The limit of a file's size refuses what would pass it.
  run.outcome.disk_full = run.outcome.disk_full || disk.full || disk.bytes >= work_bytes(program);
  run.work = {TRY(open_at(folder->work(), ".", O_RDONLY | O_DIRECTORY)), folder};
  run.enforced = enforced_by(light, program);
  run.warnings = light.program.warnings;
  const auto& unenforced = light.program.landlock.unenforced;
  run.warnings.insert(run.warnings.end(), unenforced.begin(), unenforced.end());
  return run;
}

}  // namespace langsbx::execute
