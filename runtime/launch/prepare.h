// From a bundle to a container that waits at the start gate: what create and run share.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "oci/spec.h"
#include "runtime/guard/gate.h"
#include "runtime/launch/explaining.h"
#include "runtime/launch/launch.h"
#include "runtime/launch/opened.h"
#include "runtime/lifecycle.h"

namespace langsbx::runtime {

// What has been made goes in the opposite order.
struct Prepared {
  oci::Spec spec;
  plan::HostFacts host;
  plan::LaunchPlan launch;
  Opened opened;
  Launched launched;
  std::unique_ptr<guard::Gate> gate;
  Explaining explaining;
};

struct PrepareInputs {
  const Context* context = nullptr;
  const CreateOptions* options = nullptr;
  bool gate_by_socket = false;   // create: `start` comes through start.sock
  std::vector<int> descriptors;  // of take_descriptors()
  std::vector<int> leaked_descriptors;
  // run: makes the end of its relay for a terminal; else options->console_socket is connected.
  std::function<Result<int>()> relay;
};

// Once `prepared` is gone: a failure leaves no process, cgroup or directory behind. On success the
// caller still has to commit(). Filled where it lies: kilobytes that would be moved from frame to
// frame are pages touched on both sides of the clone.
Result<void> prepare(const PrepareInputs& inputs, Prepared& prepared);
// The container outlives this process from here on.
void commit(Prepared& prepared);

void warn(const Context& context, const std::vector<std::string>& warnings);

}  // namespace langsbx::runtime
