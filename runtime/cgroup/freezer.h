// Stops and continues all processes of a cgroup.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace langsbx::cgroup {

namespace v1 {
// Returns when the state is FROZEN; a freezer that can't get there (a process in the middle of
// vfork, or forking faster than the kernel walks) is thawed and tried again before giving up.
Result<void> freeze(const std::string& directory);
Result<void> thaw(const std::string& directory);
Result<bool> is_frozen(const std::string& directory);
}  // namespace v1

namespace v2 {
Result<void> freeze(const std::string& directory);
Result<void> thaw(const std::string& directory);  // gone: nothing is frozen
Result<bool> is_frozen(const std::string& directory);
}  // namespace v2

}  // namespace langsbx::cgroup
