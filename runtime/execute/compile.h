// From source to program, inside the sandbox, or from the cache.
#pragma once

#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/execute/judged_program.h"
#include "runtime/execute/sandbox.h"

namespace langsbx::execute {

struct Compilation {
  // The object before linking (C and C++; else empty) and the program. Absent: the run says why.
  std::optional<Compiled> made;
  std::string messages;           // the compiler's, on success
  std::optional<SandboxRun> run;  // absent: from the cache
};

// `program` has id, tier, places, toolchain, rootfs and the source. With `use_cache` what was
// compiled before from the same bytes by the same compiler is taken from below
// options.state_root.
Result<Compilation> compile(Program program, const SandboxOptions& options, bool use_cache);

// What the compiler made, as a program of its own: `bytes` become those of the file that starts it.
Result<JudgedProgram> made_program(const Toolchain& toolchain, const JudgedProgram& judged,
                                   std::string& bytes);

}  // namespace langsbx::execute
