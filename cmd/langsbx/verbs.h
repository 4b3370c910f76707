// From the command line to the runtime's verbs: what several commands share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/langsbx/command.h"
#include "runtime/launch/opened.h"
#include "runtime/lifecycle.h"
#include "runtime/state/store.h"

namespace langsbx::cmd {

// --trace: the file is made before anything else happens, and filled when the verb is done.
Result<void> begin_trace(const Global& global);
Result<void> write_trace(const Global& global);
// --debug: the phases recorded since the first `logged` of them.
void log_phases(const Invocation& invocation, std::size_t& logged);

// Calls the verb with a context made of the global options, then prints its warnings.
template <typename Verb>
auto call_verb(const Invocation& invocation, Verb verb)
    -> decltype(verb(std::declval<const runtime::Context&>())) {
  std::vector<std::string> warnings;
  const Global& global = invocation.global;
  runtime::Context context;
  context.root = global.root;
  context.cgroup_manager = global.cgroup_manager;
  context.rootless = global.rootless;
  context.log_path = global.log.destination;
  context.debug = global.debug;
  context.trace_path = global.trace_path;
  context.guard_profile = global.guard_profile;
  context.landlock = global.landlock;
  context.runtime_name = global.program;
  context.warnings = &warnings;
  std::size_t phases_logged = 0;
  context.report_so_far = [&] {
    log_phases(invocation, phases_logged);
    for (const std::string& warning : warnings) invocation.log.write(LogLevel::kWarning, warning);
    warnings.clear();
  };
  if (auto begun = begin_trace(global); !begun.ok()) return begun.release_error();
  auto result = verb(context);
  if (const auto written = write_trace(global); !written.ok()) {
    warnings.push_back(written.error().to_string());
  }
  context.report_so_far();
  return result;
}

// A command with an id and no options: `start`, `pause`, `resume`.
using IdVerb = Result<void> (*)(const runtime::Context&, const std::string&);
Result<int> run_with_id(const Invocation& invocation, IdVerb verb);

// The options that create and run share.
void declare_create_options(OptionTable& table, runtime::CreateOptions& options);

// For every container whose id matches the extended regular expression (crun's --regex); the
// first error is given after all were tried.
Result<void> for_matching(const Global& global, const std::string& expression,
                          const std::function<Result<void>(const std::string&)>& action);

// For state::Store: asks the cgroup that the record names.
bool is_paused(const state::Record& record);

}  // namespace langsbx::cmd
