// No language guard is asked for yet: every program passes unjudged.
#include "runtime/guard/make_gate.h"

namespace langsbx::guard {

Result<std::unique_ptr<Gate>> make_gate(const GateInputs&) { return std::unique_ptr<Gate>(); }

}  // namespace langsbx::guard
