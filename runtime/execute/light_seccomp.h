// What seccomp has to refuse where no namespace stands between the program and the host.
#pragma once

#include "runtime/confine/seccomp.h"

namespace langsbx::execute {

// `no_network`: no socket of any family (a Unix socket of the host would be a way out; pairs stay).
// `own_signals`: something else keeps signals within the tree.
confine::SeccompSource light_seccomp(bool no_network, bool own_signals);

}  // namespace langsbx::execute
