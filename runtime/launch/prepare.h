// From a bundle to a container that waits at the start gate: what create and run share.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/launch/container_plan.h"
#include "runtime/launch/explaining.h"
#include "runtime/launch/launch.h"
#include "runtime/launch/opened.h"
#include "runtime/lifecycle.h"

namespace langsbx::runtime {

// What has been made goes in the opposite order.
struct Prepared {
  std::unique_ptr<const ContainerPlan> plan;
  Opened opened;
  Launched launched;
  Explaining explaining;
  LaunchOrder order;
};

struct PrepareInputs {
  ContainerPlanInputs plan;
  bool gate_by_socket = false;  // create: `start` comes through start.sock
  std::vector<int> leaked_descriptors;
  // run: makes the end of its relay for a terminal; else options->console_socket is connected.
  std::function<Result<int>()> relay;
};

// Once `Prepared` is gone: a failure leaves no process, cgroup or directory behind. On success the
// caller still has to commit().
Result<std::unique_ptr<Prepared>> prepare(const PrepareInputs& inputs);
// The container outlives this process from here on.
void commit(Prepared& prepared);

void warn(const Context& context, const std::vector<std::string>& warnings);

}  // namespace langsbx::runtime
