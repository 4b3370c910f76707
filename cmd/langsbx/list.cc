// list: all containers below the root, as table, JSON or ids.
#include "cmd/langsbx/columns.h"
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {
namespace {

std::string table_of(const std::vector<oci::State>& states) {
  std::vector<std::vector<std::string>> rows{{"ID", "PID", "STATUS", "BUNDLE", "CREATED", "OWNER"}};
  for (const oci::State& state : states) {
    rows.push_back({state.id, std::to_string(state.pid), std::string(status_name(state.status)),
                    state.bundle, state.created, state.owner});
  }
  return in_columns(rows);
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
  std::vector<Error> problems;
  const auto states = TRY(state::Store(invocation.global.root).list(is_paused, problems));
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
    .name = "list", .arguments = "", .summary = "list containers with the given root", .run = run};

}  // namespace langsbx::cmd
