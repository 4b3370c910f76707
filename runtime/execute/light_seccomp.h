// What seccomp has to refuse where no namespace stands between the program and the host.
#pragma once

#include "runtime/confine/seccomp.h"

namespace langsbx::execute {

// What something else keeps already, or what is to be had.
struct LightLimits {
  bool network = false;        // false: no socket of any family; pairs stay
  bool named_sockets = false;  // Landlock judges Unix sockets by their path (ABI 9)
  bool own_files = false;    // nothing outside of the work directory belongs to the program's user
  bool own_signals = false;  // signals stay within the tree
};

confine::SeccompSource light_seccomp(const LightLimits& limits);

}  // namespace langsbx::execute
