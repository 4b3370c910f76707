// The texts of --help, and what parse() and print() of command.h do.
#include "cmd/langsbx/help.h"

#include <unistd.h>

#include <algorithm>

#include "cmd/langsbx/version.h"
#include "runtime/kernel/outlet.h"

namespace langsbx::cmd {

namespace {

// What stands under a heading of a command's help, by the headings that runc's has there.
struct Section {
  std::string_view command;
  std::string_view heading;
  std::string_view text;
};

constexpr Section kSections[] = {
    {"checkpoint", "DESCRIPTION", "Containers can't be saved: this says so, and what is wrong."},
    {"create", "DESCRIPTION",
     "Sets a container up from the bundle's config.json and its root file system. Its program\n"
     "   waits for `start`."},
    {"delete", "EXAMPLE", "delete web                  a container that has stopped"},
    {"events", "DESCRIPTION",
     "Prints what the container uses, at intervals, and when it runs out."},
    {"exec", "EXAMPLE", "exec web ps                 a second program in the container web"},
    {"features", "DESCRIPTION",
     "Prints what this runtime and this kernel can do, as the specification's JSON document."},
    {"kill", "EXAMPLE", "kill web KILL               the signal's name or number; default: TERM"},
    {"pause", "DESCRIPTION", "Freezes all processes of the container; `resume` lets them go on."},
    {"restore", "DESCRIPTION", "Containers can't be restored: this says so, and what is wrong."},
    {"resume", "DESCRIPTION", "Lets the processes of a paused container go on."},
    {"run", "DESCRIPTION",
     "Creates a container from the bundle, starts it, and waits for its program to end unless\n"
     "   --detach is given."},
    {"spec", "DESCRIPTION", "Writes a config.json to begin with, into the bundle."},
    {"spec", "EXAMPLE",
     "mkdir -p box/rootfs && tar -C box/rootfs -xf image.tar && spec --bundle box"},
    {"start", "DESCRIPTION", "Starts the program of a container that was created."},
    {"state", "DESCRIPTION", "Prints the container's status, process and bundle as JSON."},
};

std::string sections_of(std::string_view command) {
  std::string text;
  for (const Section& section : kSections) {
    if (section.command != command) continue;
    text += std::string(section.heading) + ":\n   " + std::string(section.text) + "\n\n";
  }
  return text;
}

// As crun lists them.
std::string crun_commands() {
  std::string text = "Usage: crun [OPTION...] COMMAND [OPTION...]\n\nCOMMANDS:\n";
  for (const Command* command : all_commands()) {
    if (command->hidden) continue;
    constexpr std::size_t kWidth = 12;
    std::string name(command->name);
    name.resize(std::max(name.size() + 1, kWidth), ' ');
    text += "\t" + name + "- " + std::string(command->summary) + "\n";
  }
  return text;
}

}  // namespace

std::string program_help(std::string_view program, std::string_view options_help) {
  if (program == "crun") return crun_commands() + "\n" + std::string(options_help);
  std::string text = "NAME:\n   " + std::string(program) +
                     " - Open Container Initiative runtime\n\nUSAGE:\n   " + std::string(program) +
                     " [global options] command [command options] [arguments...]\n\nVERSION:\n   " +
                     std::string(program_version()) + "\n\nCOMMANDS:\n";
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
  return "Usage: crun [OPTION...] " + std::string(command.name) + " " + arguments +
         "\nOCI runtime\n\n";
}

}  // namespace

std::string command_help(std::string_view program, const Command& command,
                         std::string_view options_help) {
  const std::string name = std::string(program) + " " + std::string(command.name);
  if (program == "crun") return crun_usage(command) + std::string(options_help);
  return "NAME:\n   " + name + " - " + std::string(command.summary) + "\n\nUSAGE:\n   " + name +
         " [command options] " + std::string(command.arguments) + "\n\n" +
         sections_of(command.name) + "OPTIONS:\n" + std::string(options_help);
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
