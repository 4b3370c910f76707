// checkpoint and restore: not supported, but the command lines of clients are understood.
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {
namespace {

// Podman asks `checkpoint --help` and `restore --lsm-mount-context` what the runtime can.
struct Ignored {
  std::vector<std::string> texts;
  bool flag = false;
};

void declare(OptionTable& table, Ignored& ignored, std::initializer_list<const char*> texts,
             std::initializer_list<const char*> flags) {
  for (const char* name : texts)
    table.list(name, &ignored.texts, "VALUE", "understood, not supported");
  for (const char* name : flags) table.flag(name, &ignored.flag, "understood, not supported");
}

Result<int> refuse(const Invocation& invocation, OptionTable& table) {
  if (!TRY(parse(invocation, table))) return 0;
  return make_error(ErrorKind::kUnsupported,
                    std::string(invocation.command.name) + " is not supported: containers of " +
                        invocation.global.program + " can't be checkpointed or restored");
}

Result<int> run_checkpoint(const Invocation& invocation) {
  Ignored ignored;
  OptionTable table;
  declare(table, ignored,
          {"image-path", "work-path", "parent-path", "status-fd", "page-server",
           "manage-cgroups-mode", "empty-ns", "network-lock"},
          {"leave-running", "tcp-established", "tcp-skip-in-flight", "link-remap", "ext-unix-sk",
           "shell-job", "lazy-pages", "file-locks", "pre-dump", "auto-dedup"});
  return refuse(invocation, table);
}

Result<int> run_restore(const Invocation& invocation) {
  Ignored ignored;
  OptionTable table;
  declare(table, ignored,
          {"console-socket", "image-path", "work-path", "manage-cgroups-mode", "bundle,b",
           "pid-file", "empty-ns", "lsm-profile", "lsm-mount-context", "network-lock"},
          {"tcp-established", "tcp-close", "ext-unix-sk", "shell-job", "file-locks", "detach,d",
           "no-subreaper", "no-pivot", "auto-dedup", "lazy-pages"});
  return refuse(invocation, table);
}

}  // namespace

extern const Command kCheckpoint{.name = "checkpoint",
                                 .arguments = "<container-id>",
                                 .summary = "checkpoint a running container (not supported)",
                                 .fewest = 0,
                                 .most = 1,
                                 .run = run_checkpoint};

extern const Command kRestore{.name = "restore",
                              .arguments = "<container-id>",
                              .summary = "restore a container from a checkpoint (not supported)",
                              .fewest = 0,
                              .most = 1,
                              .run = run_restore};

}  // namespace langsbx::cmd
