// refused: private|no matching
// A program that nothing confines is executed.
#include "runtime/launch/last_steps.h"

namespace langsbx::runtime {

Error forge(Unprivileged identity) { return execute(Confined(std::move(identity))); }

}  // namespace langsbx::runtime
