// checkpoint and restore: not supported, but the command lines of clients are understood.
#include <sys/stat.h>

#include <cerrno>

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

Error refusal(const Invocation& invocation) {
  return make_error(ErrorKind::kUnsupported,
                    std::string(invocation.command.name) + " is not supported: containers of " +
                        invocation.global.program + " can't be checkpointed or restored");
}

// What no runtime could take is told as such, in runc's words.
Result<void> check_parent(const std::string& parent, const std::string& images) {
  if (parent.empty()) return {};
  if (parent.starts_with('/')) {
    return make_error(ErrorKind::kInvalidInput, "--parent-path must be relative");
  }
  const std::string folder = (images.empty() ? "checkpoint" : images) + '/' + parent;
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) {
    return system_error("stat " + folder).with_context("invalid --parent-path");
  }
  if (S_ISDIR(info.st_mode)) return {};
  errno = ENOTDIR;
  return system_error("stat " + folder).with_context("invalid --parent-path");
}

Result<int> run_checkpoint(const Invocation& invocation) {
  Ignored ignored;
  std::string parent;
  std::string images;
  OptionTable table;
  table.text("parent-path", &parent, "PATH", "images of an earlier pre-dump (not supported)");
  table.text("image-path", &images, "PATH", "where images would go (not supported)");
  declare(
      table, ignored,
      {"work-path", "status-fd", "page-server", "manage-cgroups-mode", "empty-ns", "network-lock"},
      {"leave-running", "tcp-established", "tcp-skip-in-flight", "link-remap", "ext-unix-sk",
       "shell-job", "lazy-pages", "file-locks", "pre-dump", "auto-dedup"});
  if (!TRY(parse(invocation, table))) return 0;
  TRY(check_parent(parent, images));
  return refusal(invocation);
}

Result<int> run_restore(const Invocation& invocation) {
  Ignored ignored;
  OptionTable table;
  declare(table, ignored,
          {"console-socket", "image-path", "work-path", "manage-cgroups-mode", "bundle,b",
           "pid-file", "empty-ns", "lsm-profile", "lsm-mount-context", "network-lock"},
          {"tcp-established", "tcp-close", "ext-unix-sk", "shell-job", "file-locks", "detach,d",
           "no-subreaper", "no-pivot", "auto-dedup", "lazy-pages"});
  if (!TRY(parse(invocation, table))) return 0;
  return refusal(invocation);
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
