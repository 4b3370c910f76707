// create: sets a container up; its program waits for `start`.
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {
namespace {

Result<int> run(const Invocation& invocation) {
  runtime::CreateOptions options;
  options.config_file = invocation.global.config_file;
  OptionTable table;
  declare_create_options(table, options);
  // containerd's shim passes it; create is always detached.
  table.flag("detach,d", &options.detach, "accepted and ignored");
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  options.id = positionals->at(0);
  TRY(call_verb(invocation,
                [&](const auto& context) { return runtime::create(context, options); }));
  return 0;
}

}  // namespace

extern const Command kCreate{.name = "create",
                             .arguments = "<container-id>",
                             .summary = "create a container",
                             .fewest = 1,
                             .most = 1,
                             .run = run,
                             .passes_descriptors = true};

}  // namespace langsbx::cmd
