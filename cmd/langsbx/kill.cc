// kill: sends a signal to the container's first process.
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {
namespace {

Result<int> run(const Invocation& invocation) {
  bool all = false;
  bool regex = false;
  OptionTable table;
  table.flag("all,a", &all, "send the signal to all processes of the container");
  table.flag("regex,r", &regex, "the id is a regular expression for the ids of several");
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  const std::string name = positionals->size() > 1 ? positionals->at(1) : "SIGTERM";
  const int signal = TRY(runtime::parse_signal(name));
  const auto kill_one = [&](const std::string& id) {
    return call_verb(invocation,
                     [&](const auto& context) { return runtime::kill(context, id, signal, all); });
  };
  if (regex)
    TRY(for_matching(invocation.global, positionals->at(0), kill_one));
  else
    TRY(kill_one(positionals->at(0)));
  return 0;
}

}  // namespace

extern const Command kKill{
    .name = "kill",
    .arguments = "<container-id> [signal]",
    .summary = "send a signal (default: SIGTERM) to the container's first process",
    .fewest = 1,
    .most = 2,
    .run = run};

}  // namespace langsbx::cmd
