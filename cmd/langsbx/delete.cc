// delete: removes what is left of a container.
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {
namespace {

Result<int> run(const Invocation& invocation) {
  bool force = false;
  bool regex = false;
  OptionTable table;
  table.flag("force,f", &force, "kill the container if it still runs; succeed if there is none");
  table.flag("regex,r", &regex, "the id is a regular expression for the ids of several");
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  const auto delete_one = [&](const std::string& id) {
    return call_verb(invocation,
                     [&](const auto& context) { return runtime::remove(context, id, force); });
  };
  if (regex)
    TRY(for_matching(invocation.global, positionals->at(0), delete_one));
  else
    TRY(delete_one(positionals->at(0)));
  return 0;
}

}  // namespace

extern const Command kDelete{.name = "delete",
                             .arguments = "<container-id>",
                             .summary = "delete any resources held by the container",
                             .fewest = 1,
                             .most = 1,
                             .run = run};

}  // namespace langsbx::cmd
