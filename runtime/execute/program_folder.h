// From what the caller named to the program that is meant.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"

namespace langsbx::execute {

// The file that starts the program, its bytes, and the folder below which its other files may lie:
// the nearest one up from the file that a project begins with (go.mod, package.json, .git, ...),
// else the file's own.
Result<void> take_program_file(const std::string& path, Request& request);

// A folder: the file in it that starts the program (`entry`, or the one that people expect), and
// all others as inputs; hidden ones and __pycache__ are left out.
Result<void> take_program_folder(const std::string& path, const std::string& entry,
                                 Request& request);

}  // namespace langsbx::execute
