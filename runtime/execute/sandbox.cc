// One sandbox, from nothing to nothing.
#include "runtime/execute/sandbox.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>

#include "runtime/execute/artifacts.h"
#include "runtime/execute/sandbox_cgroup.h"
#include "runtime/kernel/file.h"
#include "runtime/launch.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::execute {
namespace {

using Clock = std::chrono::steady_clock;

// The ids of a run are its own, so that limits per user and signals don't reach another run. The
// range is not one that systems hand out.
constexpr uid_t kFirstUid = 0x70000000;

struct Pipe {
  UniqueFd read_end, write_end;
};

Result<Pipe> make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return system_error("pipe2");
  return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

// While it lives, 0, 1 and 2 are the program's: a child made now inherits them.
class ProgramStreams {
 public:
  static Result<ProgramStreams> make(bool with_input) {
    ProgramStreams made;
    auto out = TRY(make_pipe());
    auto err = TRY(make_pipe());
    UniqueFd input;
    if (with_input) {
      auto in = TRY(make_pipe());
      input = std::move(in.read_end);
      made.ours.in = std::move(in.write_end);
      ::fcntl(made.ours.in.get(), F_SETFL, O_NONBLOCK);
    } else {
      input = TRY(open_file("/dev/null", O_RDONLY));
    }
    for (int fd = 0; fd <= 2; ++fd) made.saved_[fd].reset(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
    if (::dup2(input.get(), 0) < 0 || ::dup2(out.write_end.get(), 1) < 0 ||
        ::dup2(err.write_end.get(), 2) < 0) {
      return system_error("dup2");
    }
    made.ours.out = std::move(out.read_end);
    made.ours.err = std::move(err.read_end);
    return made;
  }
  ProgramStreams(ProgramStreams&&) noexcept = default;
  ProgramStreams& operator=(ProgramStreams&&) = delete;
  ~ProgramStreams() { restore(); }

  void restore() {
    for (int fd = 0; fd <= 2; ++fd) {
      if (!saved_[fd].valid()) continue;
      ::dup2(saved_[fd].get(), fd);
      saved_[fd].reset();
    }
  }

  Streams ours;

 private:
  ProgramStreams() = default;
  UniqueFd saved_[3];
};

Result<void> plan_confinement(const Program& program, const oci::Spec& spec,
                              const plan::HostFacts& host, const std::string& state_root,
                              plan::ProgramPlan& plan) {
  confine::LandlockInputs landlock;
  landlock.spec = &spec;
  landlock.program = program.landlock;
  landlock.abi = host.landlock_abi;
  plan.landlock = TRY(confine::plan_landlock(landlock));
  const auto profile = confine::builtin_seccomp_profile(program.seccomp);
  if (!profile) {
    return make_error(ErrorKind::kInvalidInput,
                      "seccomp: there is no profile \"" + program.seccomp + "\"");
  }
  confine::SeccompOptions options;
  options.cache_directory = state_root + "/.cache/seccomp";
  plan.seccomp = TRY(confine::plan_seccomp({{program.seccomp, {}, *profile}}, options));
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
  if (!program.host_network) enforced.namespaces.emplace_back("network");
  if (program.rootless) enforced.namespaces.emplace_back("user");
  enforced.no_new_privs = launch.program.no_new_privileges;
  return enforced;
}

struct Running {
  runtime::Launched launched;
  Streams streams;
  UniqueFd report;
};

Result<Running> launch(const SandboxOptions& options, plan::LaunchPlan& plan,
                       const plan::HostFacts& host, SandboxCgroup& cgroup, const std::string& id) {
  auto report = TRY(make_pipe());
  auto streams = TRY(ProgramStreams::make(options.stdin_fd >= 0));
  runtime::LaunchInputs inputs;
  inputs.launch = &plan;
  inputs.host = &host;
  inputs.cgroup_host = &cgroup.host;
  inputs.cgroup = &cgroup.group;
  inputs.state.id = id;
  inputs.report = report.write_end.get();
  auto launched = runtime::launch_init(inputs);
  streams.restore();
  if (!launched.ok()) return launched.release_error();
  Running running{launched.release_value(), std::move(streams.ours), std::move(report.read_end)};
  running.streams.capture = options.capture;
  running.streams.source = options.stdin_fd;
  return running;
}

void add_warnings(const plan::LaunchPlan& launch, const SandboxCgroup& cgroup, SandboxRun& run) {
  run.warnings = launch.program.warnings;
  const auto& landlock = launch.program.landlock;
  run.warnings.insert(run.warnings.end(), landlock.unenforced.begin(), landlock.unenforced.end());
  if (landlock.abi == 0) run.warnings.emplace_back("this kernel has no Landlock");
  if (!cgroup.group.exists()) run.warnings.push_back("cgroup " + cgroup.controllers);
  for (const auto& warning : cgroup.group.warnings()) run.warnings.push_back(warning);
}

}  // namespace

Result<SandboxRun> run_sandboxed(Program program, const SandboxOptions& options) {
  const auto begin = Clock::now();
  const auto host = TRY(plan::read_host_facts({}));
  program.rootless = host.rootless;
  program.uid = host.rootless ? 0 : kFirstUid + static_cast<uid_t>(::getpid());
  const auto signals = TRY(catch_signals());
  const auto first = sandbox_spec(program);
  auto cgroup = TRY(make_sandbox_cgroup(program.id, *first.linux_->resources, program.rootless));
  program.has_cgroup = cgroup.group.exists();
  const auto spec = sandbox_spec(program);
  plan::PlanInputs inputs;
  inputs.spec = &spec;
  inputs.host = &host;
  inputs.id = program.id;
  inputs.bundle = "/";
  inputs.state_root = options.state_root;
  auto launch_plan = TRY(plan::make_plan(inputs));
  launch_plan.rootfs.in_memory = true;
  launch_plan.rootfs.files = sandbox_files(program);
  TRY(plan_confinement(program, spec, host, options.state_root, launch_plan.program));
  SandboxRun run;
  auto running = TRY(launch(options, launch_plan, host, cgroup, program.id));
  auto& init = running.launched.init;
  auto work = open_work_directory(init.pid());
  TRY(runtime::start_init(running.launched.channel, {&launch_plan.program.seccomp, {}}));
  run.setup_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count());
  const Watched watched{&init, running.report.get(), signals.get(), &cgroup.group, &program.limits};
  run.outcome = TRY(watch(watched, std::move(running.streams)));
  TRY(init.wait());
  const int directory = work.ok() ? work->get() : -1;
  const auto disk = disk_use(directory);
  run.outcome.usage.disk = disk.bytes;
  run.outcome.disk_full = disk.full;
  run.artifacts = collect_artifacts(directory, options.artifacts);
  run.enforced = enforced_by(launch_plan, program, cgroup);
  add_warnings(launch_plan, cgroup, run);
  if (!work.ok() && !options.artifacts.empty()) {
    run.warnings.push_back("artifacts: " + work.error().to_string());
  }
  return run;
}

}  // namespace langsbx::execute
