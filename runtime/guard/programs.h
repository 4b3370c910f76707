// Which files Landlock's program layer lets be executed: what the launch itself needs, and what the
// profile's capabilities need. Nothing else, so that what the judge misses starts no other program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/policy.h"
#include "runtime/confine/landlock.h"

namespace langsbx::guard {

// The names in a folder, each with a line feed behind it; nothing when there is no such folder.
using NamesIn = std::function<std::optional<std::string>(const std::string& folder)>;
// Shows the bytes of a file for the time of the call; false when it is not there or unreadable.
using FileViewer = std::function<bool(const std::string& path,
                                      const std::function<void(std::string_view bytes)>& show)>;

// Whether the profile lets every installed program start: it allows `process.spawn`, or is a
// shell's without a list of commands.
[[nodiscard]] bool starts_any_program(const languages::Policy& policy);

// Folders of programs, libraries and data as distributions lay them out.
[[nodiscard]] const std::vector<std::string>& program_folders();
[[nodiscard]] const std::vector<std::string>& library_folders();

// `programs` as absolute paths, with the ELF loaders that they name. Where no profile says which
// libraries can be read, with these, too: they are looked for where the file says (RUNPATH,
// $ORIGIN) and in the usual folders. What cannot be read or is no ELF file needs nothing but
// itself.
enum class Needs : bool { kLoader, kLibraries };
[[nodiscard]] confine::LandlockPrograms files_of(const std::vector<std::string>& programs,
                                                 const std::string& cwd, Needs needs,
                                                 const FileViewer& viewer);

// Those of the profile's commands that are installed, and the shell that some of them are written
// for; empty when the profile lists none.
[[nodiscard]] std::vector<std::string> installed_commands(const languages::Policy& policy,
                                                          const NamesIn& names_in);

}  // namespace langsbx::guard
