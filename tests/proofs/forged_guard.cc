// refused: no matching|deleted|could not convert|no viable
// Nobody says who judges.
#include "runtime/launch/last_steps.h"

namespace langsbx::runtime {

Result<Cleared> forge(Unprivileged identity) {
  return clear_program(std::move(identity), guard::GuardPlan());
}

}  // namespace langsbx::runtime
