// langsbx serve key add|list|revoke: the file of keys from the command line.
#pragma once

#include "runtime/base/result.h"

namespace langsbx::serve {

// argv[0] is "key".
Result<int> key_command(int argc, char** argv);

}  // namespace langsbx::serve
