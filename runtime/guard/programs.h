// Which files Landlock's program layer lets be executed: what the launch itself needs, and what the
// profile's capabilities need. Nothing else, so that what the judge misses starts no other program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "languages/policy.h"

namespace langsbx::guard {

// The first bytes of a file; nothing when it cannot be read.
using StartOf = std::function<std::optional<std::string>(const std::string& path)>;
// The names in a folder, each with a line feed behind it; nothing when there is no such folder.
using NamesIn = std::function<std::optional<std::string>(const std::string& folder)>;

// Whether the profile lets every installed program start: it allows `process.spawn`, or is a
// shell's without a list of commands.
[[nodiscard]] bool starts_any_program(const languages::Policy& policy);

// Folders of programs, libraries and data as distributions lay them out.
[[nodiscard]] const std::vector<std::string>& program_folders();
[[nodiscard]] const std::vector<std::string>& library_folders();

// `executables` as absolute paths, with the ELF loaders that they name.
[[nodiscard]] std::vector<std::string> with_loaders(const std::vector<std::string>& executables,
                                                    const std::string& cwd,
                                                    const StartOf& start_of);

// Those of the profile's commands that are installed, and the shell that some of them are written
// for; empty when the profile lists none.
[[nodiscard]] std::vector<std::string> installed_commands(const languages::Policy& policy,
                                                          const NamesIn& names_in);

}  // namespace langsbx::guard
