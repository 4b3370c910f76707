// list: all containers below the root, as table, JSON or ids.
#include <fcntl.h>

#include <iterator>

#include "cmd/langsbx/columns.h"
#include "cmd/langsbx/find.h"
#include "cmd/langsbx/verbs.h"
#include "languages/report.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

std::string table_of(const std::vector<oci::State>& states) {
  std::vector<std::vector<std::string>> rows{{"ID", "PID", "STATUS", "BUNDLE", "CREATED", "OWNER"}};
  for (const oci::State& state : states) {
    rows.push_back({state.id, std::to_string(state.pid), std::string(status_name(state.status)),
                    languages::printable(state.bundle), languages::printable(state.created),
                    languages::printable(state.owner)});
  }
  return in_columns(rows);
}

// What lies in engines' folders beside ours is other runtimes', and nobody's problem.
void add_engines(const std::string& root, std::vector<oci::State>& states) {
  for (const std::string& engine : engine_roots()) {
    std::vector<Error> foreign;
    if (engine == root) continue;
    auto more = state::Store(engine).list(is_paused, foreign);
    if (!more.ok()) continue;
    std::move(more->begin(), more->end(), std::back_inserter(states));
  }
}

Result<int> run(const Invocation& invocation) {
  std::string format = "table";
  bool quiet = false;
  OptionTable table;
  table.text("format,f", &format, "FORMAT", "table (default) or json");
  table.flag("quiet,q", &quiet, "only container ids");
  if (!TRY(parse(invocation, table))) return 0;
  if (format != "table" && format != "json")
    return make_error(ErrorKind::kInvalidInput, "invalid format option: " + format);
  // Without --root nothing was started yet; with it, it is a slip. crun makes the folder then.
  const Global& global = invocation.global;
  if (global.root_is_given && global.program != "crun") {
    TRY_CONTEXT(open_file(global.root, O_PATH | O_DIRECTORY), "--root");
  }
  std::vector<Error> problems;
  auto states = TRY(state::Store(invocation.global.root).list(is_paused, problems));
  if (!global.root_is_given) add_engines(global.root, states);
  for (const Error& problem : problems)
    invocation.log.write(LogLevel::kWarning, problem.to_string());
  std::string text;
  if (quiet) {
    for (const oci::State& state : states) text += state.id + "\n";
  } else {
    text = format == "json" ? oci::state_list_json(states) + "\n" : table_of(states);
  }
  TRY(print(text));
  return 0;
}

}  // namespace

extern const Command kList{
    .name = "list",
    .arguments = "",
    .summary = "list containers with the given root; without --root, those of engines too",
    .run = run};

}  // namespace langsbx::cmd
