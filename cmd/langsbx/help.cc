// The texts of --help, and what parse() and print() of command.h do.
#include "cmd/langsbx/help.h"

#include <unistd.h>

#include <algorithm>

#include "runtime/kernel/outlet.h"

namespace langsbx::cmd {

std::string program_help(std::string_view program, std::string_view options_help) {
  std::string text = "NAME:\n   " + std::string(program) +
                     " - Open Container Initiative runtime\n\nUSAGE:\n   " + std::string(program) +
                     " [global options] command [command options] [arguments...]\n\nCOMMANDS:\n";
  std::size_t width = 0;
  for (const Command* command : all_commands()) width = std::max(width, command->name.size());
  for (const Command* command : all_commands()) {
    if (command->hidden) continue;
    text += "   " + std::string(command->name) +
            std::string(width + 2 - command->name.size(), ' ') + std::string(command->summary) +
            "\n";
  }
  return text + "\nGLOBAL OPTIONS:\n" + std::string(options_help);
}

namespace {

// As crun writes it: "Usage: crun [OPTION...] exec CONTAINER cmd".
std::string crun_usage(const Command& command) {
  std::string arguments(command.arguments);
  const auto replace = [&](std::string_view from, std::string_view to) {
    const auto place = arguments.find(from);
    if (place != std::string::npos) arguments.replace(place, from.size(), to);
  };
  replace("<container-id>", "CONTAINER");
  replace("<command> [arguments...]", "cmd");
  return "Usage: crun [OPTION...] " + std::string(command.name) + " " + arguments + "\n\n";
}

}  // namespace

std::string command_help(std::string_view program, const Command& command,
                         std::string_view options_help) {
  const std::string name = std::string(program) + " " + std::string(command.name);
  const std::string usage = program == "crun" ? crun_usage(command) : std::string();
  return usage + "NAME:\n   " + name + " - " + std::string(command.summary) + "\n\nUSAGE:\n   " +
         name + " [command options] " + std::string(command.arguments) + "\n\nOPTIONS:\n" +
         std::string(options_help);
}

Result<std::optional<std::vector<std::string>>> parse(const Invocation& invocation,
                                                      OptionTable& table) {
  const Command& command = invocation.command;
  Parsed parsed = TRY(table.parse(invocation.args, command.positionals));
  std::optional<std::vector<std::string>> positionals;
  if (parsed.help) {
    TRY(print(command_help(invocation.global.program, command, table.help())));
    return positionals;
  }
  const std::size_t count = parsed.positionals.size();
  if (count < command.fewest || count > command.most) {
    const std::string wanted =
        command.fewest == command.most
            ? "requires exactly " + std::to_string(command.fewest) + " argument(s)"
        : count < command.fewest
            ? "requires a minimum of " + std::to_string(command.fewest) + " argument(s)"
            : "takes at most " + std::to_string(command.most) + " argument(s)";
    return make_error(ErrorKind::kInvalidInput, invocation.global.program + ": \"" +
                                                    std::string(command.name) + "\" " + wanted);
  }
  positionals = std::move(parsed.positionals);
  return positionals;
}

Result<void> print(std::string_view text) { return write_out(STDOUT_FILENO, text, "stdout"); }

const Command* find_command(std::string_view name) {
  const auto commands = all_commands();
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const Command* one) { return one->name == name; });
  return found == commands.end() ? nullptr : *found;
}

}  // namespace langsbx::cmd
