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

void log_phases(const Invocation& invocation, std::size_t& logged) {
  if (!trace::is_on() || invocation.global.log.level != LogLevel::kDebug) return;
  const auto recorded = nlohmann::json::parse(trace::to_json(), nullptr, false);
  std::size_t number = 0;
  for (const auto& event : recorded["traceEvents"]) {
    if (event["ph"] != "X" || number++ < logged) continue;
    logged = number;
    const char* const where = event["pid"] == 2 ? ", container: " : ": ";
    const std::string what =
        event.contains("args") ? " (" + event["args"].value("what", "") + ")" : "";
    invocation.log.write(
        LogLevel::kDebug,
        std::string(invocation.command.name) + where + event.value("name", "") + what + ": " +
            std::to_string(static_cast<std::int64_t>(event.value("dur", 0.0))) + " us");
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
