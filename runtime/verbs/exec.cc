// exec: another program in a running container, confined exactly as its first one.
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "oci/reader.h"
#include "oci/validate.h"
#include "runtime/base/trace.h"
#include "runtime/guard/make_gate.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/announce.h"
#include "runtime/launch/descriptors.h"
#include "runtime/launch/join.h"
#include "runtime/launch/opened.h"
#include "runtime/launch/prepare.h"
#include "runtime/launch/self_protection.h"
#include "runtime/plan/namespace_types.h"
#include "runtime/verbs/poststart.h"
#include "runtime/verbs/recorded.h"
#include "runtime/verbs/supervise.h"

namespace langsbx::runtime {
namespace {

Result<std::uint32_t> parse_id(std::string_view text, const char* option) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // 2^32-1 means "no change" to setresuid.
  if (error != std::errc() || end != text.data() + text.size() || value == UINT32_MAX) {
    return make_error(ErrorKind::kInvalidInput, std::string(option) + ": \"" + std::string(text) +
                                                    "\" is not a numeric id below 4294967295");
  }
  return value;
}

// "uid" or "uid:gid", numbers only: names would be looked up in the container's files.
Result<void> set_user(oci::Process& process, const std::string& user) {
  if (user.empty()) return {};
  const auto colon = user.find(':');
  process.user.uid = TRY(parse_id(std::string_view(user).substr(0, colon), "--user"));
  if (colon != std::string::npos) {
    process.user.gid = TRY(parse_id(std::string_view(user).substr(colon + 1), "--user"));
  }
  return {};
}

// Never the inheritable set (CVE-2022-29162), and so the ambient one only where it allows that.
void add_capabilities(oci::Process& process, const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (!process.capabilities) process.capabilities.emplace();
  for (const auto& name : names) {
    process.capabilities->bounding.push_back(name);
    process.capabilities->effective.push_back(name);
    process.capabilities->permitted.push_back(name);
    const auto& inheritable = process.capabilities->inheritable;
    if (std::find(inheritable.begin(), inheritable.end(), name) != inheritable.end()) {
      process.capabilities->ambient.push_back(name);
    }
  }
}

Result<oci::Process> process_of(const oci::Spec& spec, const ExecOptions& options,
                                const std::vector<int>& descriptors) {
  if (!options.process_file.empty()) {
    TRY(protect_before_reading(options.process_file, descriptors));
    const std::string json = TRY(read_file(options.process_file));
    auto process = TRY(oci::read_process(json, options.process_file));
    TRY_CONTEXT(oci::validate(process, ""), options.process_file);
    return process;
  }
  oci::Process process = *spec.process;
  process.args = options.args;
  if (process.args.empty()) {
    return make_error(ErrorKind::kInvalidInput, "exec: no command given");
  }
  process.terminal = options.tty;
  if (!options.cwd.empty()) process.cwd = options.cwd;
  process.env.insert(process.env.end(), options.env.begin(), options.env.end());
  TRY(set_user(process, options.user));
  for (const auto& text : options.additional_gids) {
    process.user.additional_gids.push_back(TRY(parse_id(text, "--additional-gids")));
  }
  add_capabilities(process, options.capabilities);
  if (!options.apparmor.empty()) process.apparmor_profile = options.apparmor;
  if (!options.process_label.empty()) process.selinux_label = options.process_label;
  if (options.no_new_privs) process.no_new_privileges = true;
  TRY(oci::validate(process, "process."));
  return process;
}

bool same_namespace(const std::string& ours, const std::string& theirs) {
  struct stat first {
  }, second{};
  return ::stat(ours.c_str(), &first) == 0 && ::stat(theirs.c_str(), &second) == 0 &&
         first.st_ino == second.st_ino && first.st_dev == second.st_dev;
}

bool shares_namespace(pid_t target, oci::NamespaceType type) {
  const std::string name(plan::proc_name(type));
  return same_namespace("/proc/self/ns/" + name, "/proc/" + std::to_string(target) + "/ns/" + name);
}

// Those that config.json lists, and the user namespace that an ordinary user is given. One that
// create made cannot be ours; one that was joined by its path may be, and then it may not even be
// entered. A user namespace cannot be entered twice.
std::uint64_t namespaces_to_join(const oci::Spec& spec, const state::Record& record) {
  using enum oci::NamespaceType;
  std::uint64_t flags = 0;
  bool user = record.rootless;
  const auto listed = spec.linux_ ? spec.linux_->namespaces : std::vector<oci::Namespace>();
  for (const auto& entry : listed) {
    if (entry.type == kUser) {
      user = true;
    } else if (entry.path.empty() || !shares_namespace(record.init_pid, entry.type)) {
      flags |= plan::clone_flag(entry.type);
    }
  }
  if (user && !shares_namespace(record.init_pid, kUser)) flags |= plan::clone_flag(kUser);
  return flags;
}

Result<void> check_status(const Opened& opened, const ExecOptions& options) {
  const auto status = status_of(opened);
  if (status == oci::Status::kStopped) {
    return make_error(ErrorKind::kWrongState, "cannot exec in a stopped container");
  }
  if (status == oci::Status::kPaused && !options.ignore_paused) {
    return make_error(ErrorKind::kWrongState,
                      "cannot exec in a paused container (use --ignore-paused to override)");
  }
  return {};
}

// Without a pid namespace of the container's own others may see what joins.
bool shares_pids(const oci::Spec& spec) {
  if (!spec.linux_) return true;
  for (const auto& entry : spec.linux_->namespaces) {
    if (entry.type == oci::NamespaceType::kPid) return !entry.path.empty();
  }
  return true;
}

struct Joining {
  oci::Spec spec;
  plan::HostFacts host;
  plan::ProgramPlan program;
  std::optional<guard::GuardPlan> guard;  // settled while planning
  std::uint64_t namespaces = 0;
};

// Behind a pointer: its parts know each other's addresses.
Result<std::unique_ptr<Joining>> plan_joining(const Context& context, const Opened& opened,
                                              const ExecOptions& options,
                                              std::vector<int> descriptors) {
  auto made = std::make_unique<Joining>();
  auto& joining = *made;
  joining.spec = TRY(oci::read_spec(TRY(opened.container.read_config()), state::kConfigFile));
  auto process = TRY(process_of(joining.spec, options, descriptors));
  // crun asks for it anew with each exec; a guard's confinement stays.
  const bool keeps_no_new_privs = !context.acts_as_crun() || !opened.record.guard.empty();
  if (!keeps_no_new_privs && options.process_file.empty()) {
    process.no_new_privileges = options.no_new_privs;
  }
  joining.host = TRY(plan::read_host_facts(opened.record.rootless));
  plan::PlanInputs inputs{&joining.spec,
                          &joining.host,
                          opened.record.id,
                          opened.record.bundle,
                          context.root,
                          false,
                          opened.record.no_new_keyring,
                          std::move(descriptors)};
  inputs.acts_as_crun = context.acts_as_crun();
  // What create settled is taken from the record; this plan must only not fail.
  inputs.landlock_mode = confine::LandlockMode::kBestEffort;
  TRY(add_listen_variables(process.env, inputs.acts_as_crun));
  joining.namespaces = namespaces_to_join(joining.spec, opened.record);
  const bool user = (joining.namespaces & CLONE_NEWUSER) != 0;
  joining.program = TRY(plan::plan_program(process, inputs, user));
  joining.program.cpu_affinity_final = joining.program.scheduling.exec_final;
  // In force while the joining process is still ours: children inherit it.
  if (const auto& initial = joining.program.scheduling.exec_initial) {
    const trace::Span applying(
        "cpu affinity",
        trace::is_on() ? "runc: nsexec: affinity: " + confine::mask_text(*initial) : "");
    TRY(confine::apply_cpu_affinity(*initial));
  }
  guard::GateInputs guarded;
  guarded.spec = &joining.spec;
  guarded.program = &joining.program;
  guarded.profile_flag = context.guard_profile;
  guarded.state_root = context.root;
  guarded.joins = true;
  guarded.facts = guard::facts_of(opened.record.id, joining.spec.annotations);
  guarded.user = opened.record.rootless;
  guarded.recorded = opened.record.guard;
  guarded.warnings = context.warnings;
  joining.guard = TRY(guard::make_gate(guarded));
  TRY(apply_recorded(opened.record, process, joining.program, keeps_no_new_privs));
  // By what is in force, which create settled: its flags are not exec's.
  TRY(protect_from_container(
      {&joining.program.landlock, shares_pids(joining.spec), joining.program.preserved_fds}));
  const auto* const judge = std::get_if<guard::Judge>(&*joining.guard);
  if (judge == nullptr) return made;
  TRY((*judge)->record_into(opened.container.fd(), guarded.facts, guarded.user));
  return made;
}

Result<UniqueFd> connect_console(const ExecOptions& options, bool terminal, bool relayed) {
  if (relayed) return UniqueFd();
  if (terminal && options.console_socket.empty()) {
    return make_error(ErrorKind::kInvalidInput,
                      "cannot allocate tty if runtime will detach without setting console socket");
  }
  if (!terminal) return UniqueFd();
  return TRY_CONTEXT(connect_stream(options.console_socket), "--console-socket");
}

Result<int> exec_in(const Context& context, const ExecOptions& options) {
  auto descriptors = TRY(take_descriptors(options.preserve_fds, context.acts_as_crun()));
  trace::Span phase("state");
  auto opened = TRY(open_locked(context, options.id));
  phase.next("plan");
  TRY(check_status(opened, options));
  const auto init = TRY(open_init(opened.record));
  const auto planned = TRY(plan_joining(context, opened, options, std::move(descriptors)));
  auto& joining = *planned;
  // What was read in /proc about that number was read about the container's init.
  if (!still_lives(init)) {
    return make_error(ErrorKind::kWrongState, "cannot exec in a stopped container");
  }
  phase.end();
  warn(context, joining.program.warnings);
  Supervisor supervisor;
  const bool relayed = !options.detach && options.console_socket.empty();
  if (!options.detach) supervisor = TRY(Supervisor::start());
  const bool terminal = joining.program.terminal;
  const auto console = TRY(connect_console(options, terminal, relayed));
  JoinInputs inputs;
  inputs.program = &joining.program;
  inputs.target = opened.record.init_pid;
  inputs.target_pidfd = init.get();
  inputs.namespaces = joining.namespaces;
  inputs.rootless = joining.host.euid != 0;
  inputs.console.relayed = relayed;
  inputs.console.socket = relayed && terminal ? TRY(supervisor.console_socket()) : console.get();
  if (joining.program.seccomp.has_listener()) {
    inputs.state = listener_state(opened, status_of(opened));
  }
  inputs.guard = &*joining.guard;
  auto group = options.cgroup_paths.empty() ? Result<cgroup::Cgroup>(std::move(opened.group))
                                            : opened.group.sub_group(options.cgroup_paths);
  auto joined_group = TRY(std::move(group));
  inputs.cgroup = &joined_group;
  const auto wish =
      TRY(explain_wish(options.explain, options.explain_file, joining.spec.annotations));
  Explaining explaining;
  if (wish.any()) {
    inputs.before_start = [&](pid_t pid) -> Result<void> {
      explaining = TRY(
          Explaining::start(wish, joining.program, pid, opened.container.fd(), inputs.rootless));
      return {};
    };
  }
  // Others may work on the container while this program runs.
  opened.container.unlock();
  auto child = TRY_CONTEXT(launch_join(inputs), "unable to start container process");
  TRY(announce(child.pid(), options.pid_file, options.pidfd_socket, "setns"));
  if (options.detach) {
    explaining.release();
    static_cast<void>(child.release());
    return 0;
  }
  context.before_wait();
  const int status = TRY(supervisor.wait(child));
  TRY(explaining.finish(context));
  return status;
}

}  // namespace

Result<int> exec(const Context& context, const ExecOptions& options) {
  return TRY_CONTEXT(exec_in(context, options), "exec failed");
}

}  // namespace langsbx::runtime
