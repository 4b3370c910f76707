// refused: private|no matching
// A root is claimed that was never entered.
#include "runtime/launch/last_steps.h"

namespace langsbx::runtime {

Result<Unprivileged> forge(const plan::ProgramPlan& program) {
  return drop_privileges(isolate::Rooted(program, UniqueFd()));
}

}  // namespace langsbx::runtime
