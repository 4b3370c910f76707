// create: a container whose program waits for `start`.
#include "runtime/launch/descriptors.h"
#include "runtime/launch/prepare.h"

namespace langsbx::runtime {

Result<void> create(const Context& context, const CreateOptions& options) {
  PrepareInputs inputs;
  inputs.leaked_descriptors = TRY(leaked_descriptors(options.preserve_fds, context.acts_as_crun()));
  inputs.plan.descriptors = TRY(take_descriptors(options.preserve_fds, context.acts_as_crun()));
  inputs.plan.context = &context;
  inputs.plan.options = &options;
  inputs.gate_by_socket = true;
  const auto prepared = TRY_CONTEXT(prepare(inputs), context.runtime_name + " create failed");
  commit(*prepared);
  prepared->explaining.release();
  static_cast<void>(prepared->launched.init.release());
  return {};
}

}  // namespace langsbx::runtime
