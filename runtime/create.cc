// create: a container whose program waits for `start`.
#include "runtime/kernel/process.h"
#include "runtime/prepare.h"

namespace langsbx::runtime {

Result<void> create(const Context& context, const CreateOptions& options) {
  // Descriptors that the caller leaked to us must not reach the container (CVE-2024-21626).
  TRY(close_on_exec_from(3));
  PrepareInputs inputs;
  inputs.context = &context;
  inputs.options = &options;
  inputs.gate_by_socket = true;
  auto prepared = TRY_CONTEXT(prepare(inputs), context.runtime_name + " create failed");
  commit(prepared);
  prepared.explaining.release();
  static_cast<void>(prepared.launched.init.release());
  return {};
}

}  // namespace langsbx::runtime
