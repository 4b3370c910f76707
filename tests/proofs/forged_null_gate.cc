// refused: no matching|could not convert|cannot convert|no viable|no known conversion
// No gate means no judgement.
#include "runtime/launch/last_steps.h"

namespace langsbx::runtime {

Result<Cleared> forge(Unprivileged identity) { return clear_program(std::move(identity), nullptr); }

}  // namespace langsbx::runtime
