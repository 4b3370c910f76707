// refused: private|no matching
// The root is entered outside of the namespaces.
#include "runtime/isolate/rootfs.h"

namespace langsbx::runtime {

Result<isolate::Rooted> forge(const plan::LaunchPlan& plan) {
  return isolate::enter_rootfs(isolate::Isolated(plan), isolate::Rootfs());
}

}  // namespace langsbx::runtime
