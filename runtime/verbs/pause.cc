// pause and resume: the freezer of the container's cgroup.
#include "runtime/launch/opened.h"

namespace langsbx::runtime {

Result<void> pause(const Context& context, const std::string& id) {
  auto opened = TRY(open_locked(context, id));
  const auto status = status_of(opened);
  if (status != oci::Status::kRunning && status != oci::Status::kCreated) {
    return make_error(ErrorKind::kWrongState, "container not running");
  }
  TRY_CONTEXT(opened.group.freeze(), "pause");
  return {};
}

Result<void> resume(const Context& context, const std::string& id) {
  auto opened = TRY(open_locked(context, id));
  // A container that was created but not started can be frozen too, and its status does not tell.
  if (!TRY(opened.group.is_frozen())) {
    return make_error(ErrorKind::kWrongState, "container not paused");
  }
  TRY_CONTEXT(opened.group.thaw(), "resume");
  return {};
}

}  // namespace langsbx::runtime
