// refused: no matching|could not convert|cannot convert|no known conversion|no viable
// An identity is confined without the guard in between.
#include "runtime/launch/last_steps.h"

namespace langsbx::runtime {

Result<Confined> forge(Unprivileged identity) {
  return confine_program(std::move(identity), -1, -1);
}

}  // namespace langsbx::runtime
