// The programs that config.json wants run along the way.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::isolate {

// Files that hooks write to, by crun's annotations run.oci.hooks.stdout and .stderr; without them
// what a hook prints is part of its error.
struct HookOutput {
  UniqueFd output;
  UniqueFd errors;
};
// Paths of the host: called before the container's mounts are entered, and only where there are
// hooks to write to them.
Result<HookOutput> open_hook_output(const std::map<std::string, std::string>& annotations);

// Some run before the program does.
bool has_hooks_before_start(const oci::Hooks& hooks);

struct HookSurroundings {
  // What a hook without an env of its own gets; null: the runtime's.
  const std::vector<std::string>* env = nullptr;
  const HookOutput* output = nullptr;
  // In each hook's own process, as the last thing before it executes.
  std::function<Result<void>()> confine = nullptr;
};

// Runs them in order with `state` on stdin; the first failure ends it: "error running NAME hook
// #N: …".
Result<void> run_hooks(std::string_view name, const std::vector<oci::Hook>& hooks,
                       const std::string& state, const HookSurroundings& surroundings);

}  // namespace langsbx::isolate
