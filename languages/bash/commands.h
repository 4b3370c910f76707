// What each known command reaches for and how its arguments are to be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "languages/finding.h"

namespace langsbx::languages::bash {

// How the arguments are judged.
enum class Handler : std::uint8_t {
  kText,     // arguments are text
  kReads,    // operands and option values are files to read
  kWrites,   // ... to write
  kDeletes,  // ... to delete
  kCopies,   // read all but the last, write the last
  kPattern,  // the first operand is a pattern, the others are read (grep)
  kAwk,
  kSed,
  kFind,
  kXargs,
  kTar,
  kDd,
  kDc,
  kChmod,
  kWrapper,  // runs the command that its arguments name (wrappers.h)
  kShell,    // -c text is a script
  kEval,
  kSource,
  kTrap,
  kAlias,
  kBuiltin,  // builtin, command, exec
  kDeclare,
  kNames,  // operands are variable names: read, unset
  kPrintf,
  kMapfile,
  kEnable,
  kHash,
  kSet,
  kJobs,
  kChangesDirectory,
  kComplete,
  kTest,
  kConnects,   // nc and its kin: options that hand over a shell
  kDisk,       // makes file systems, partitions: ruins the disk that it names
  kXargsLike,  // parallel, watch: joins its arguments to a script
};

// What a command has to do with code that arrives while the script runs.
enum class Arrival : std::uint8_t {
  kNone,
  kFetches,      // prints what it downloads or decodes
  kConnects,     // both ways, with somebody else
  kShell,        // runs code: shells, eval, source
  kInterpreter,  // the same in another language
  kWraps,        // runs the command that its arguments name
};

struct CommandInfo {
  std::uint32_t capabilities = 0;  // bits by Capability
  Handler handler = Handler::kText;
  bool builtin = false;
  Arrival arrival = Arrival::kNone;
  bool options = false;     // has rules of its own in option_table.h
  std::uint16_t index = 0;  // of this entry, below kMostCommands
};

constexpr std::uint32_t capability_bit(Capability capability) {
  return 1U << static_cast<unsigned>(capability);
}

constexpr std::size_t kMostCommands = 2048;

// nullptr for a command nobody here has described. `hash`: hash_name(name).
[[nodiscard]] const CommandInfo* find_command(std::string_view name, std::uint32_t hash);
[[nodiscard]] const CommandInfo* find_command(std::string_view name);
[[nodiscard]] std::string_view name_of(const CommandInfo& command);

// An option of an otherwise harmless command that starts a program, or names a file.
enum class OptionEffect : std::uint8_t {
  kSpawns,
  kReads,
  kWrites,
  kRunsFile,
  kConnects,
  kAdmin,
  kOutside,
  kMode,  // permissions, which may say whose rights a program runs with
};

struct OptionRule {
  std::string_view command;
  std::string_view option;  // "--long" (any unambiguous abbreviation counts) or "-s"
  OptionEffect effect;
};

// The rule of `command` that `argument` matches, or nullptr;
// `value` is what stands behind '=' or behind the letter, or is empty for the next argument.
[[nodiscard]] const OptionRule* match_option(std::string_view command, std::string_view argument,
                                             std::string_view& value);

}  // namespace langsbx::languages::bash
