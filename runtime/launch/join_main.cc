// The recipe of a process that joins a container.
#include <fcntl.h>

#include "runtime/base/trace.h"
#include "runtime/isolate/console.h"
#include "runtime/isolate/join.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/session.h"
#include "runtime/launch/child.h"
#include "runtime/launch/init.h"

namespace langsbx::runtime {
namespace {

Result<UniqueFd> join_console(const JoinContext& context) {
  if (!context.program->terminal) return UniqueFd();
  const auto root = TRY(open_file("/", O_PATH | O_DIRECTORY));
  isolate::ConsoleOptions options;
  options.root = root.get();
  options.socket = context.console_socket;
  options.relayed = context.relays_console;
  options.owner = context.program->identity.uid;
  options.size = context.program->console_size;
  options.bind_console = false;
  return isolate::open_console(options);
}

Result<Unprivileged> set_up(const JoinContext& context) {
  const auto& program = *context.program;
  trace::enter_container();
  trace::Span phase("namespaces: join");
  TRY(begin_child());
  // Before any process of the container can see this one (CVE-2016-9962).
  TRY(become_undumpable());
  TRY(enter_and_proceed(*context.channel));
  auto rooted = TRY(isolate::join_container({&program, context.target, context.namespaces}));
  TRY(join_session_keyring(program.session_keyring));
  const auto console = TRY(join_console(context));
  if (program.cwd != "/") {
    const auto root = TRY(open_file("/", O_PATH | O_DIRECTORY));
    TRY(make_working_directory(root.get(), program.cwd));
  }
  phase.end();
  return become_user(std::move(rooted), console, *context.guard, context.procfs);
}

}  // namespace

int join_main(const JoinContext& context) {
  close_all(context.parents_descriptors);
  auto identity = set_up(context);
  auto error = identity.ok() ? run_program(identity.release_value(), *context.guard, context.procfs,
                                           context.seccomp_socket)
                             : identity.release_error();
  static_cast<void>(context.channel->send(handshake::Failed{std::move(error)}));
  return 255;
}

}  // namespace langsbx::runtime
