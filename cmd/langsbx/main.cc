// langsbx: global options, the command, its exit status.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "cmd/langsbx/command.h"
#include "cmd/langsbx/help.h"
#include "cmd/langsbx/log.h"
#include "cmd/langsbx/version.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::cmd {
namespace {

constexpr int kFailure = 1;

int finish(const Result<void>& printed) { return printed.ok() ? 0 : kFailure; }

Result<int> run_command(const Command& command, const Invocation& invocation) {
  if (!command.passes_descriptors) TRY(close_on_exec_from(STDERR_FILENO + 1));
  return command.run(invocation);
}

// Called runc, what execve said stands alone on stderr, as runc's init writes it there. A log
// elsewhere has the whole line.
std::string told_on_stderr(const Error& error, const Global& global) {
  std::string text = error.to_string();
  if (global.program != "runc" || error.kind != ErrorKind::kExecve) return {};
  text.resize(std::min(text.find('\n'), text.size()));
  const auto place = text.find("exec /");
  return place == std::string::npos ? std::string() : text.substr(place);
}

int status_of(const Log& log, const Command& command, const Invocation& invocation) {
  auto status = run_command(command, invocation);
  if (status.ok()) return status.value();
  log.failure(status.error().to_string(), told_on_stderr(status.error(), invocation.global));
  return command.failure_status;
}

int run(std::string_view argv0, const std::vector<std::string>& args) {
  auto parsed = parse_global(argv0, args);
  if (!parsed.ok()) {
    Log().failure(parsed.error().to_string());
    return kFailure;
  }
  const Global& global = parsed->global;
  if (global.version) return finish(print(version_text(global.program)));
  auto& rest = parsed->rest;
  if (rest.size() > 1 && rest[0] == "help") rest = {rest[1], "--help"};
  if (parsed->help || rest.empty() || rest[0] == "help")
    return finish(print(program_help(global.program, parsed->options_help)));
  auto log = Log::open(global.log);
  if (!log.ok()) {
    Log().failure(log.error().to_string());
    return kFailure;
  }
  if (!parsed->values.ok()) {
    log->failure(parsed->values.error().to_string());
    return kFailure;
  }
  const Command* const command = find_command(rest[0]);
  if (command == nullptr) {
    // runc's status, which its command line library gives.
    constexpr int kNoSuchCommand = 3;
    log->failure("No help topic for '" + rest[0] + "': unknown command \"" + rest[0] + "\"; " +
                 global.program + " --help lists them");
    return global.program == "crun" ? kFailure : kNoSuchCommand;
  }
  const std::span<const std::string> behind(rest);
  return status_of(log.value(), *command,
                   Invocation{*command, global, log.value(), behind.subspan(1)});
}

int run_or_fail(int argc, char** argv) {
  // The standard library throws when there is no memory; nothing of ours does.
  try {
    // Before anything is opened: a descriptor of ours must not become a program's stdin.
    if (auto open = fill_closed_streams(); !open.ok()) {
      Log().failure(open.error().to_string());
      return kFailure;
    }
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    return run(argc > 0 ? argv[0] : "langsbx", args);
  } catch (const std::exception& error) {
    Log().failure(error.what());
    return kFailure;
  }
}

}  // namespace
}  // namespace langsbx::cmd

int main(int argc, char** argv) {
  // Who ignores it has no children to wait for.
  ::signal(SIGCHLD, SIG_DFL);
  // The heap grows in large steps and never shrinks: this process is short-lived, and each change
  // is a system call and page faults.
  ::mallopt(M_TOP_PAD, 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
  // Large blocks too: as mappings of their own each would be faulted in anew.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  // Nothing of ours waits for the C library's end, whose pages nothing else touches.
  ::_exit(langsbx::cmd::run_or_fail(argc, argv));
}
