// Dropping privileges, the guard, confinement, execve.
#include "runtime/launch/last_steps.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "runtime/base/trace.h"
#include "runtime/confine/no_new_privs.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/signals.h"
#include "runtime/launch/executable.h"

namespace langsbx::runtime {
namespace {

Result<void> change_directory(const std::string& cwd) {
  if (::chdir(cwd.c_str()) == 0) return {};
  return system_error("chdir to cwd (\"" + cwd + "\") set in config.json failed");
}

// A cwd through /proc/self/fd/N could lie outside the root; getcwd then says "(unreachable)"
// or fails (CVE-2024-21626).
Result<void> verify_working_directory() {
  const auto current = working_directory();
  if (!current.ok() && current.error().errno_value == ENOENT) {
    return make_error(ErrorKind::kInvalidInput,
                      "process.cwd: current working directory is outside of container mount "
                      "namespace root");
  }
  if (!current.ok()) return current.error();
  if (!current->starts_with('/')) {
    return make_error(ErrorKind::kInvalidInput,
                      "process.cwd: current working directory is outside of container mount "
                      "namespace root -- possible container breakout detected");
  }
  return {};
}

bool has_value(const std::vector<std::string>& env, std::string_view name) {
  for (const auto& entry : env) {
    if (entry.size() > name.size() + 1 && entry[name.size()] == '=' && entry.starts_with(name)) {
      return true;
    }
  }
  return false;
}

void set_home(std::vector<std::string>& env, unsigned uid) {
  if (has_value(env, "HOME")) return;
  std::erase_if(env, [](const std::string& entry) { return entry.starts_with("HOME="); });
  env.push_back("HOME=" + home_directory(uid));
}

constexpr confine::CapabilitySet kAdmin = confine::CapabilitySet{1} << CAP_SYS_ADMIN;

confine::IdentityPlan with_admin(const plan::ProgramPlan& program) {
  auto identity = program.identity;
  if (!program.keeps_admin) return identity;
  if (!identity.capabilities) identity.capabilities.emplace();
  identity.capabilities->permitted |= kAdmin;
  return identity;
}

// Puts CAP_SYS_ADMIN from the permitted into the effective set.
Result<void> raise_admin(const plan::ProgramPlan& program) {
  const auto identity = with_admin(program);
  auto raised = *identity.capabilities;
  raised.effective |= kAdmin;
  return confine::set_capabilities(raised);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const auto& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

Result<void> make_working_directory(int root, const std::string& cwd) {
  if (cwd == "/") return {};
  auto made = make_directories_in_root(root, cwd);
  if (made.ok()) return {};
  // As another user it may still be reachable (or the error comes from chdir itself).
  const int reason = made.error().errno_value;
  if (reason == EACCES || reason == EPERM || reason == EROFS || reason == ENOTDIR) return {};
  return made.release_error().with_context("process.cwd");
}

Result<Unprivileged> drop_privileges(isolate::Rooted rooted, int procfs) {
  const auto& program = rooted.program();
  TRY(confine::apply_scheduling(program.scheduling));
  // With the privileges there are, as the user may not reach it; or as the user, who alone may.
  const auto entered = change_directory(program.cwd);
  if (!entered.ok() && entered.error().errno_value != EACCES) return entered.error();
  const auto status = TRY(confine::apply_identity(with_admin(program), procfs));
  TRY(attend_to_signals(status.ignored_signals));
  if (!entered.ok()) TRY(change_directory(program.cwd));
  if (program.cwd != "/") TRY(verify_working_directory());
  Unprivileged result(std::move(rooted));
  result.env_ = program.env;
  set_home(result.env_, program.identity.uid);
  if (program.args.empty()) return make_error(ErrorKind::kInvalidInput, "process.args: empty");
  auto found = find_executable(program.args[0], result.env_);
  if (!found.ok() && program.acts_as_crun) {
    return with_line_of_crun(found.release_error(), program.args[0]);
  }
  result.executable_ = TRY(std::move(found));
  return result;
}

Result<Cleared> clear_program(Unprivileged identity, const guard::GuardPlan& guard) {
  Cleared cleared(std::move(identity));
  const auto* const judge = std::get_if<guard::Judge>(&guard);
  if (judge == nullptr) return cleared;  // judged by the parent, or nothing to judge
  auto& unprivileged = cleared.identity_;
  const auto& program = unprivileged.program();
  cleared.programs_ =
      TRY((*judge)->judge(unprivileged.executable(), program.args, program.cwd, unprivileged.env_));
  cleared.fitted_ = (*judge)->fit(program);
  return cleared;
}

Result<Confined> confine_program(Cleared cleared, int procfs, int seccomp_socket) {
  auto& identity = cleared.identity_;
  const auto& program = identity.program();
  TRY(confine::apply_exec_labels(program.labels, procfs));
  if (program.cpu_affinity_final) TRY(confine::apply_cpu_affinity(*program.cpu_affinity_final));
  if (program.processors > 0) TRY(confine::stay_on_processors(program.processors));
  const bool by_layer = confine::sets_no_new_privs(cleared.landlock());
  if (program.no_new_privileges && !by_layer) TRY(confine::set_no_new_privs());
  // The last step at which no filter of the program's can refuse the call; what is opened from here
  // on is close-on-exec from its birth.
  TRY(close_on_exec_from(STDERR_FILENO + 1));
  for (const int fd : program.preserved_fds) {
    if (::fcntl(fd, F_SETFD, 0) != 0) {
      return system_error("preserve file descriptor " + std::to_string(fd));
    }
  }
  if (program.keeps_admin) TRY(raise_admin(program));
  if (!cleared.landlock().empty()) {
    UniqueFd& root = identity.root_;
    if (!root.valid()) root = TRY(open_file("/", O_PATH | O_DIRECTORY));
    TRY_CONTEXT(confine::apply_landlock(
                    cleared.landlock(), root.get(),
                    {program.preserved_fds, cleared.programs_, program.no_new_privileges}),
                "landlock");
  }
  // Descriptors that the layers need are not the program's.
  TRY_CONTEXT(confine::lower_rlimits(program.lowered_rlimits), "limits of the program");
  if (!cleared.seccomp().empty()) {
    const trace::Span span("seccomp: load");
    TRY_CONTEXT(confine::load_seccomp(cleared.seccomp(), seccomp_socket), "seccomp");
  }
  return Confined(std::move(identity));
}

Result<void> confine_hook(const plan::ProgramPlan& program, int procfs) {
  TRY(confine::apply_exec_labels(program.labels, procfs));
  const auto layers = confine::container_layer_of(program.landlock);
  const bool by_layer = confine::sets_no_new_privs(layers);
  if (program.no_new_privileges && !by_layer) TRY(confine::set_no_new_privs());
  if (program.keeps_admin) TRY(raise_admin(program));
  if (!layers.empty()) {
    const auto root = TRY(open_file("/", O_PATH | O_DIRECTORY));
    TRY_CONTEXT(confine::apply_landlock(layers, root.get(), {{}, {}, program.no_new_privileges}),
                "landlock");
  }
  TRY_CONTEXT(confine::load_seccomp(confine::filters_of_config(program.seccomp), -1), "seccomp");
  return {};
}

Error execute(const Confined& confined) {
  const auto& identity = confined.identity_;
  const auto argv = pointers(identity.program().args);
  const auto envp = pointers(identity.env());
  ::execve(identity.executable().c_str(), argv.data(), envp.data());
  return explain_exec_failure(identity.executable(), errno);
}

Result<void> attend_to_signals(std::uint64_t ignored) {
  for (int signal = 1; ignored != 0; ++signal, ignored >>= 1U) {
    if ((ignored & 1U) != 0) TRY(reset_signal(signal));
  }
  return {};
}

}  // namespace langsbx::runtime
