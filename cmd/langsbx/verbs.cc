// What several commands share.
#include "cmd/langsbx/verbs.h"

#include <regex.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/base/trace.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {

Result<void> begin_trace(const Global& global) {
  const bool to_file = !global.trace_path.empty();
  if (!to_file && global.log.level != LogLevel::kDebug) return {};
  if (to_file) {
    TRY_CONTEXT(open_file(global.trace_path, O_WRONLY | O_CREAT | O_TRUNC, 0644), "--trace");
  }
  return trace::begin();
}

namespace {

// runc's names of what happens in a phase inside the container: those who read its --debug find
// here what they look for.
std::string_view words_of_runc(std::string_view command, std::string_view phase) {
  if (phase.starts_with("namespaces")) return "nsexec container setup";
  if (phase == "confine: identity") return "child process in init()";
  if (command == "exec") return phase == "exec" ? "setns_init: about to exec" : "";
  // Init has said that it is ready.
  return phase == "guard" ? "init: closing the pipe to signal completion" : "";
}

// A line of its own, word for word as runc's.
std::string line_of_runc(const nlohmann::json& event, const std::string& phase) {
  if (phase != "seccomp filter flags") return {};
  return phase + ": " + event["args"].value("what", "");
}

}  // namespace

void log_phases(const Invocation& invocation, std::size_t& logged) {
  if (!trace::is_on() || invocation.global.log.level != LogLevel::kDebug) return;
  const auto recorded = nlohmann::json::parse(trace::to_json(), nullptr, false);
  std::size_t number = 0;
  for (const auto& event : recorded["traceEvents"]) {
    if (event["ph"] != "X" || number++ < logged) continue;
    logged = number;
    const std::string phase = event.value("name", "");
    const bool in_container = event["pid"] == 2;
    if (const std::string whole = line_of_runc(event, phase); !whole.empty()) {
      invocation.log.write(LogLevel::kDebug, whole);
      continue;
    }
    std::string line(invocation.command.name);
    line += (in_container ? ", container: " : ": ") + phase;
    if (event.contains("args")) line += " (" + event["args"].value("what", "") + ")";
    const auto words = in_container ? words_of_runc(invocation.command.name, phase) : "";
    if (!words.empty()) line += std::string(" (runc: ").append(words) + ")";
    invocation.log.write(
        LogLevel::kDebug,
        line + ": " + std::to_string(static_cast<std::int64_t>(event.value("dur", 0.0))) + " us");
  }
}

Result<void> write_trace(const Global& global) {
  if (!trace::is_on() || global.trace_path.empty()) return {};
  TRY_CONTEXT(write_file(global.trace_path, trace::to_json()), "--trace");
  return {};
}

Result<int> run_with_id(const Invocation& invocation, IdVerb verb) {
  OptionTable table;
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  TRY(call_verb(invocation,
                [&](const auto& context) { return verb(context, positionals->at(0)); }));
  return 0;
}

void declare_create_options(OptionTable& table, runtime::CreateOptions& options) {
  table.text("bundle,b", &options.bundle, "DIR", "the bundle; default: the current directory");
  table.text("config,f", &options.config_file, "FILE",
             "read this instead of the bundle's config.json");
  table.text("console-socket", &options.console_socket, "PATH",
             "send the terminal's master end to this socket");
  table.text("pidfd-socket", &options.pidfd_socket, "PATH",
             "send a pidfd of the first process to this socket");
  table.text("pid-file", &options.pid_file, "FILE", "write the pid of the first process to FILE");
  table.flag("no-pivot", &options.no_pivot, "don't use pivot_root: for a rootfs on a ramdisk");
  table.flag("no-new-keyring", &options.no_new_keyring, "keep the caller's session keyring");
  table.count("preserve-fds", &options.preserve_fds,
              "pass N more file descriptors (stdio + $LISTEN_FDS + N in total)");
  table.flag("no-subreaper", &options.no_subreaper, "don't become the reaper of orphans");
}

Result<void> for_matching(const Global& global, const std::string& expression,
                          const std::function<Result<void>(const std::string&)>& action) {
  regex_t compiled{};
  if (const int code = ::regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB);
      code != 0)
    return make_error(ErrorKind::kInvalidInput,
                      "invalid regular expression \"" + expression + "\"");
  const std::unique_ptr<regex_t, decltype(&::regfree)> guard(&compiled, &::regfree);
  Result<void> first;
  for (const std::string& id : TRY(state::Store(global.root).ids())) {
    if (::regexec(&compiled, id.c_str(), 0, nullptr, 0) != 0) continue;
    auto done = action(id);
    if (!done.ok() && first.ok()) first = done.release_error().with_context(id);
  }
  return first;
}

bool is_paused(const state::Record& record) {
  auto cgroup = runtime::cgroup_of(record);
  return cgroup.ok() && cgroup->exists() && cgroup->is_frozen().value_or(false);
}

}  // namespace langsbx::cmd
