// The files that a program needs to be executed: its ELF loader and its libraries.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/confine/landlock.h"

namespace langsbx::guard {

struct ProgramFiles {
  std::vector<std::string> executed;  // programs, and their loaders
  std::vector<std::string> read;      // libraries, and where the loader looks them up
};

// Shows the bytes of a file for the time of the call; false when it is not there or unreadable.
using FileViewer = std::function<bool(const std::string& path,
                                      const std::function<void(std::string_view bytes)>& show)>;

// What cannot be read or is no ELF file needs nothing but itself. Libraries are looked for where
// the file says (RUNPATH, $ORIGIN) and in the usual folders; only ELF files are taken for some.
[[nodiscard]] ProgramFiles files_of(const std::vector<std::string>& programs,
                                    const FileViewer& viewer);

// Lets the layer of the container's program execute these: besides what it allows, or nothing else.
// Paths are absolute.
enum class Besides : bool { kNothing, kTheRest };
void allow_program(const ProgramFiles& files, Besides besides, confine::LandlockPlan& landlock);

}  // namespace langsbx::guard
