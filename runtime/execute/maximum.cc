// The maximum tier: the same guard, limits and record in front of another OCI runtime.
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>

#include "runtime/base/text_list.h"
#include "runtime/execute/light_base.h"
#include "runtime/execute/light_folder.h"
#include "runtime/execute/oci_bundle.h"
#include "runtime/execute/oci_runtime.h"
#include "runtime/execute/process_tree.h"
#include "runtime/execute/runtime_log.h"
#include "runtime/execute/sandbox.h"
#include "runtime/execute/sandbox_cgroup.h"
#include "runtime/execute/streams.h"
#include "runtime/kernel/close_range.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/session.h"

namespace langsbx::execute {
namespace {

using Clock = std::chrono::steady_clock;

// Isolating more than namespaces do, the strongest first.
constexpr auto kRuntimes = text_list("runsc", "kata-runtime", "krun");
constexpr auto kFolders =
    text_list("/usr/local/sbin/", "/usr/local/bin/", "/usr/sbin/", "/usr/bin/");

// gVisor can be kept in the cgroup that it is started in, and be told of no network; what its
// programs fork is counted by it.
bool is_gvisor(std::string_view runtime) {
  return runtime.substr(runtime.rfind('/') + 1).starts_with("runsc");
}

// One container of that runtime, by its command line.
class Container {
 public:
  Container(std::string runtime, std::string folder, const Program& program)
      : runtime_(std::move(runtime)), folder_(std::move(folder)), id_(program.id) {
    if (is_gvisor(runtime_)) {
      flags_ = {"--ignore-cgroups",
                program.network == Network::kHost ? "--network=host" : "--network=none"};
    }
  }

  [[nodiscard]] std::vector<std::string> call(std::vector<std::string> words) const {
    std::vector<std::string> call = {
        runtime_, "--root", folder_ + "/state", "--log", log_path(), "--log-format", "json"};
    call.insert(call.end(), flags_.begin(), flags_.end());
    call.insert(call.end(), words.begin(), words.end());
    return call;
  }
  [[nodiscard]] Command command(std::vector<std::string> words) const {
    Command made;
    made.path = runtime_;
    made.args = call(std::move(words));
    made.timeout = std::chrono::seconds(10);
    return made;
  }
  void kill() const { static_cast<void>(run_command(command({"kill", id_, "KILL"}))); }
  void remove() const { static_cast<void>(run_command(command({"delete", "--force", id_}))); }
  [[nodiscard]] std::vector<std::string> run() const {
    return call({"run", "--bundle", folder_ + "/bundle", id_});
  }
  // What the runtime says of itself: its own failure ends with a status that a program could have
  // ended with, too.
  [[nodiscard]] std::string fault() const {
    const auto log = read_file(log_path(), std::size_t{1} << 20U);
    return log.ok() ? failure_in_log(*log) : std::string();
  }
  // For fault(), where there is no runtime yet that could say it.
  int failed(const std::string& what) const {
    const auto log = open_file(log_path(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (log.ok()) static_cast<void>(write_fd(log->get(), failure_line(what), "log"));
    return kExitFault;
  }

 private:
  [[nodiscard]] std::string log_path() const { return folder_ + "/log"; }

  std::string runtime_, folder_, id_;
  std::vector<std::string> flags_;
};

int execute_runtime(const Container& container, const std::vector<std::string>& words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (auto closed = close_on_exec_from(STDERR_FILENO + 1); !closed.ok()) {
    return container.failed(closed.error().to_string());
  }
  ::execv(argv[0], argv.data());
  return container.failed("exec: " + errno_text(errno));
}

// Between us and the runtime, so that all it started ends when we end, however that is.
int keep_runtime(pid_t supervisor, const std::function<int()>& body) {
  constexpr int kSupervisorDied = SIGUSR2;  // not one that is passed on
  if (!start_session().ok()) return kExitFault;
  if (::prctl(PR_SET_PDEATHSIG, kSupervisorDied) != 0 || ::getppid() != supervisor ||
      ::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
    return kExitFault;
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  auto child = fork_child({}, body);
  if (!child.ok()) return kExitFault;
  const pid_t runtime = child->release();
  // The program's input has to end.
  if (!close_all_but({}, 3).ok()) {
    kill_descendants();
    return kExitFault;
  }
  for (;;) {
    siginfo_t info{};
    if (::sigwaitinfo(&all, &info) < 0) continue;
    if (info.si_signo == kSupervisorDied) break;
    if (info.si_signo != SIGCHLD) {
      if (info.si_pid == supervisor) ::kill(runtime, info.si_signo);
      continue;
    }
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid != runtime) continue;
      kill_descendants();
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
  }
  kill_descendants();
  return kExitFault;
}

Result<ChildProcess> start(const Container& container, cgroup::Cgroup* group,
                           ProgramStreams& streams) {
  const auto words = container.run();
  const pid_t supervisor = ::getpid();
  auto child = fork_child({}, [&] {
    return keep_runtime(supervisor, [&] {
      if (group != nullptr) {
        const auto entered = group->add_process(::getpid());
        if (!entered.ok()) return container.failed(entered.error().to_string());
      }
      return execute_runtime(container, words);
    });
  });
  TRY(streams.restore());
  return child;
}

// Runtimes end as shells do: with the program's code, or 128 and the signal.
runtime::ProgramEnd end_of(int status) {
  constexpr int kSignals = 64;
  runtime::ProgramEnd end;
  const bool by_signal = status > 128 && status <= 128 + kSignals;
  end.wait_status = by_signal ? status - 128 : W_EXITCODE(status, 0);
  return end;
}

// The kernel refuses and kills the runtime's own processes, which then ends somehow.
void name_the_limit(const Limits& limits, Outcome& outcome) {
  const int status = outcome.end->wait_status;
  if (outcome.cut != KillReason::kNone || status == 0) return;
  const bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (outcome.oom || (was_killed && outcome.usage.memory_peak >= limits.memory)) {
    outcome.cut = KillReason::kMemory;
  } else if (outcome.forks_refused > 0) {
    outcome.cut = KillReason::kProcesses;
  }
}

Result<std::shared_ptr<const LightFolder>> make_folder(const Program& program) {
  return std::make_shared<const LightFolder>(TRY(LightFolder::make(TRY(private_base()), program)));
}

Result<void> collect(const std::shared_ptr<const LightFolder>& folder, const Program& program,
                     SandboxRun& run) {
  const auto bytes = folder_use(folder->work(), ~std::uint64_t{0}).bytes;
  run.outcome.usage.disk = without_own(program, bytes);
  // The limit of a file's size refuses what would pass it.
  run.outcome.disk_full = run.outcome.disk_full || bytes >= work_bytes(program);
  run.work = {TRY(open_at(folder->work(), ".", O_RDONLY | O_DIRECTORY)), folder};
  return {};
}

}  // namespace

Result<std::string> find_oci_runtime(const std::string& named) {
  if (!named.empty()) {
    struct stat status {};
    const bool is_file = ::stat(named.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    if (is_file && ::access(named.c_str(), X_OK) == 0 && named.front() == '/') return named;
    return make_error(ErrorKind::kNotFound, "--oci-runtime: " + named + ": not a program's path");
  }
  for (const std::string_view name : kRuntimes) {
    for (const std::string_view folder : kFolders) {
      std::string path(folder);
      path += name;
      if (::access(path.c_str(), X_OK) == 0) return path;
    }
  }
  return make_error(ErrorKind::kUnsupported,
                    "--isolation maximum: neither runsc (gVisor), kata-runtime nor krun is "
                    "installed; name another runtime with --oci-runtime PATH");
}

Result<SandboxRun> run_maximum(Program program, const SandboxOptions& options) {
  const auto begin = Clock::now();
  if (::geteuid() != 0) {
    return make_error(ErrorKind::kUnsupported, "--isolation maximum: needs root");
  }
  if (options.tty) {
    return make_error(ErrorKind::kUnsupported, "--tty: not in the maximum tier");
  }
  const auto runtime = TRY(find_oci_runtime(options.oci_runtime));
  SandboxRun run;
  run.rejected = !ask_clearance(options).ok();
  if (run.rejected) return run;
  program.uid = own_uid();
  program.gid = program.uid;
  program.has_cgroup = true;
  const auto signals = TRY(catch_signals());
  const auto spec = sandbox_spec(program);
  // The limits are on a cgroup of ours; the runtime makes its own below it.
  auto cgroup = TRY(make_sandbox_cgroup(program.id, *spec.linux_->resources, false));
  // What a kernel of its own takes for the program is not seen by who counts processes.
  if (!cgroup.group.exists()) {
    return make_error(ErrorKind::kUnsupported,
                      "--isolation maximum: its limits need a cgroup; " + cgroup.controllers);
  }
  TRY(cgroup.group.apply());
  const auto folder = TRY(make_folder(program));
  const std::string bundle = folder->path() + "/bundle";
  if (::mkdir(bundle.c_str(), 0711) != 0) return system_error("mkdir " + bundle);
  const bool counted_here = is_gvisor(runtime);
  const std::string box = "/" + std::string(kCgroupPrefix) + program.id + "/box";
  TRY(write_bundle(program, bundle, folder->path() + "/work", counted_here ? std::string() : box));
  const Container container(runtime, folder->path(), program);
  auto streams = TRY(ProgramStreams::make(options.stdin_fd >= 0));
  auto child = TRY(start(container, counted_here ? &cgroup.group : nullptr, streams));
  streams.ours.capture = options.capture;
  streams.ours.source = options.stdin_fd;
  run.setup_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count());
  sweep_left_folders();
  sweep_left_cgroups(cgroup);
  Gauge gauge(cgroup.group, child.pid(), program.limits.memory);
  Watched watched{&child, -1, signals.get(), &gauge, &program.limits};
  watched.end = [&] { container.kill(); };
  watched.disk = [&] { return folder_use(folder->work(), work_bytes(program)); };
  watched.events = options.events;
  run.outcome = TRY(watch(watched, std::move(streams.ours)));
  run.outcome.end = end_of(TRY(child.wait()));
  name_the_limit(program.limits, run.outcome);
  const auto fault = container.fault();  // before its removal fails, and is told there, too
  container.remove();
  if (!counted_here) remove_beside(program.id);
  if (!fault.empty() && run.outcome.cut == KillReason::kNone && run.outcome.end->wait_status != 0) {
    return make_error(ErrorKind::kInternal, "--isolation maximum: " + runtime + ": " + fault);
  }
  TRY(collect(folder, program, run));
  run.enforced.cgroup = cgroup.controllers;
  run.enforced.namespaces = {"by " + runtime};
  run.enforced.no_new_privs = true;
  return run;
}

}  // namespace langsbx::execute
