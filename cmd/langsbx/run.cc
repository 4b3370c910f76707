// run: create and start in one; waits for the program unless detached.
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {
namespace {

Result<int> run(const Invocation& invocation) {
  runtime::CreateOptions options;
  options.config_file = invocation.global.config_file;
  OptionTable table;
  declare_create_options(table, options);
  table.flag("detach,d", &options.detach, "don't wait for the container's program");
  table.flag("keep", &options.keep, "don't delete the container when its program ends");
  table.flag("explain", &options.explain, "afterwards list what the confinement refused, and why");
  table.text("explain-file", &options.explain_file, "FILE",
             "append each refusal to FILE, a JSON object a line");
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  options.id = positionals->at(0);
  return call_verb(invocation, [&](const auto& context) { return runtime::run(context, options); });
}

}  // namespace

extern const Command kRun{.name = "run",
                          .arguments = "<container-id>",
                          .summary = "create and run a container",
                          .fewest = 1,
                          .most = 1,
                          .run = run,
                          .passes_descriptors = true};

}  // namespace langsbx::cmd
