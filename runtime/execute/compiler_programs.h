// The programs that a compiler is made of: what its Landlock layer lets be executed, and nothing
// else of /usr.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/toolchain.h"

namespace langsbx::execute {

// The driver, what it starts (cc1, as, ld, Go's tools, ...) as far as it is installed, and their
// ELF loaders. `rootfs`: where to look; empty: the host.
Result<std::vector<std::string>> compiler_programs(const Toolchain& toolchain,
                                                   const std::string& tool,
                                                   const std::string& rootfs);

}  // namespace langsbx::execute
