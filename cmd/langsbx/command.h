// What a command is: one value in one file (create.cc, list.cc, ...), listed in commands.cc.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/langsbx/global.h"
#include "cmd/langsbx/log.h"
#include "cmd/langsbx/options.h"
#include "runtime/base/result.h"

namespace langsbx::cmd {

struct Command;

// One call of a command.
struct Invocation {
  const Command& command;
  const Global& global;
  const Log& log;
  std::span<const std::string> args;  // behind the command's name
};

struct Command {
  std::string_view name;
  std::string_view arguments;  // "<container-id> [signal]"
  std::string_view summary;    // one line, lower case
  std::size_t fewest = 0;      // positionals
  std::size_t most = 0;
  // Gives the exit status, or why it failed.
  Result<int> (*run)(const Invocation& invocation) = nullptr;
  Positionals positionals = Positionals::kAnywhere;
  int failure_status = 1;
  bool hidden = false;  // not in --help
  // It calls runtime::take_descriptors() itself. For all others main marks what the caller left
  // open: no program that they start gets it.
  bool passes_descriptors = false;
};

inline constexpr std::size_t kAnyNumber = 1U << 20U;

// The positionals; empty when help was asked for and printed: the command then returns 0.
Result<std::optional<std::vector<std::string>>> parse(const Invocation& invocation,
                                                      OptionTable& table);

// stdout; an error (nobody reads, disk full) is worth a failure.
Result<void> print(std::string_view text);

std::span<const Command* const> all_commands();
const Command* find_command(std::string_view name);

}  // namespace langsbx::cmd
