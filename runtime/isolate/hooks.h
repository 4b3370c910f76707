// The programs that config.json wants run along the way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"

namespace langsbx::isolate {

// Runs them in order with `state` on stdin; the first failure ends it: "error running NAME hook
// #N: …". `env` is what a hook without an env of its own gets; null: the runtime's.
Result<void> run_hooks(std::string_view name, const std::vector<oci::Hook>& hooks,
                       const std::string& state, const std::vector<std::string>* env = nullptr);

}  // namespace langsbx::isolate
