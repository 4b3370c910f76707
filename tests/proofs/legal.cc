// The way that is open: each proof from the one before.
#include "runtime/launch/last_steps.h"

namespace langsbx::runtime {

Error run_on_host(const plan::ProgramPlan& program, const guard::GuardPlan& guard) {
  auto identity = drop_privileges(isolate::Rooted::on_host(program));
  if (!identity.ok()) return identity.release_error();
  auto cleared = clear_program(identity.release_value(), guard);
  if (!cleared.ok()) return cleared.release_error();
  auto confined = confine_program(cleared.release_value(), -1, -1);
  if (!confined.ok()) return confined.release_error();
  return execute(*confined);
}

Error run_judged_by_parent(const plan::ProgramPlan& program) {
  return run_on_host(program, guard::JudgedByParent{});
}

}  // namespace langsbx::runtime
