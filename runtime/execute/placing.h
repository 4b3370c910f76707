// Where a program's files are put, and which of them the program may change.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/judged_program.h"
#include "runtime/execute/sandbox_spec.h"

namespace langsbx::execute {

struct PlacedProgram {
  std::string started;        // the file that the interpreter is told
  std::vector<Placed> files;  // folders before what is in them
  bool several = false;       // the program is more than one file
  // Of its own files in the work directory.
  std::uint64_t own_bytes = 0;
  std::uint64_t own_files = 0;
};

struct PlacingInputs {
  const languages::Toolchain* toolchain = nullptr;
  const JudgedProgram* program = nullptr;
  std::string entry;          // its bytes: the source, or what was made of it
  std::vector<Input> inputs;  // of the caller, for the work directory
  Places places;
  bool can_fix = true;  // the tier can keep files in the work directory from the program
};

// For an interpreter. An input that has the name of a judged file has its bytes, too, or is an
// error.
Result<PlacedProgram> place_interpreted(const PlacingInputs& inputs);
// For a compiler: all in the source's folder.
PlacedProgram place_for_compiler(const PlacingInputs& inputs);
// What runs by itself, beside the inputs.
Result<PlacedProgram> place_native(const PlacingInputs& inputs);

// The work directory's files as the command of --setup finds them.
Result<std::vector<Placed>> place_for_setup(const PlacingInputs& inputs);

}  // namespace langsbx::execute
