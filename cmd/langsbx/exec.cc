// exec: one more process in a running container.
#include "cmd/langsbx/find.h"
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {
namespace {

void declare(OptionTable& table, runtime::ExecOptions& options) {
  table.text("console-socket", &options.console_socket, "PATH",
             "send the terminal's master end to this socket");
  table.text("pidfd-socket", &options.pidfd_socket, "PATH",
             "send a pidfd of the process to this socket");
  table.text("cwd", &options.cwd, "DIR", "working directory in the container");
  table.list("env,e", &options.env, "NAME=VALUE", "set an environment variable");
  table.flag("tty,t", &options.tty, "allocate a terminal");
  table.text("user,u", &options.user, "UID[:GID]", "run as this user");
  table.list("additional-gids,g", &options.additional_gids, "GID", "additional group ids");
  table.text("process,p", &options.process_file, "FILE", "read the process from this JSON file");
  table.flag("detach,d", &options.detach, "don't wait for the process");
  table.text("pid-file", &options.pid_file, "FILE", "write the pid of the process to FILE");
  table.text("process-label", &options.process_label, "LABEL", "SELinux label of the process");
  table.text("apparmor", &options.apparmor, "PROFILE", "AppArmor profile of the process");
  table.flag("no-new-privs", &options.no_new_privs, "set no_new_privs");
  table.list("cap,c", &options.capabilities, "CAP", "add a capability");
  table.count("preserve-fds", &options.preserve_fds,
              "pass N more file descriptors (stdio + $LISTEN_FDS + N in total)");
  table.list("cgroup", &options.cgroup_paths, "[CONTROLLER:]PATH", "run in this sub-cgroup");
  table.flag("explain", &options.explain, "afterwards list what the confinement refused, and why");
  table.text("explain-file", &options.explain_file, "FILE",
             "append each refusal to FILE, a JSON object a line");
  table.flag("ignore-paused", &options.ignore_paused, "allow exec in a paused container");
}

Result<int> run(const Invocation& invocation) {
  runtime::ExecOptions options;
  OptionTable table;
  declare(table, options);
  auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  const auto found = TRY(find_container(invocation.global, positionals->at(0)));
  options.id = found.id;
  options.args.assign(positionals->begin() + 1, positionals->end());
  // `exec ID -- ls`
  if (!options.args.empty() && options.args[0] == "--") options.args.erase(options.args.begin());
  if (options.args.empty() && options.process_file.empty())
    return make_error(ErrorKind::kInvalidInput,
                      "exec: a command or --process is needed: process args cannot be empty");
  Global global = invocation.global;
  global.root = found.root;
  return call_verb(Invocation{invocation.command, global, invocation.log, invocation.args},
                   [&](const auto& context) { return runtime::exec(context, options); });
}

}  // namespace

extern const Command kExec{.name = "exec",
                           .arguments = "<container-id> <command> [arguments...]",
                           .summary = "execute a new process inside the container",
                           .fewest = 1,
                           .most = kAnyNumber,
                           .run = run,
                           .positionals = Positionals::kEndOptions,
                           .failure_status = 255,
                           .passes_descriptors = true};

}  // namespace langsbx::cmd
