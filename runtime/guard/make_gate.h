// Decides whether and how the language guard judges a launch.
#pragma once

#include <memory>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/guard/gate.h"
#include "runtime/lifecycle.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::guard {

struct GateInputs {
  const oci::Spec* spec = nullptr;
  plan::ProgramPlan* program = nullptr;
  const runtime::Context* context = nullptr;
};
// Null when there is nothing to judge.
Result<std::unique_ptr<Gate>> make_gate(const GateInputs& inputs);

}  // namespace langsbx::guard
