// delete: what a container left behind.
#include "runtime/opened.h"
#include "runtime/poststart.h"

namespace langsbx::runtime {
namespace {

// `create` was killed before it wrote a record: only the directory is there.
Result<void> remove_remains(const Context& context, const std::string& id) {
  auto container = TRY(state::Store(context.root).open(id));
  TRY(container.lock());
  return container.remove();
}

}  // namespace

Result<void> remove(const Context& context, const std::string& id, bool force) {
  auto opened = open_locked(context, id);
  if (!opened.ok()) {
    // Clients delete once more to be sure; that must succeed.
    auto exists = state::Store(context.root).open(id);
    if (!exists.ok()) {
      if (force && exists.error().kind == ErrorKind::kNotFound) return {};
      return exists.release_error();
    }
    if (force || opened.error().kind == ErrorKind::kNotFound) return remove_remains(context, id);
    return opened.release_error();
  }
  const auto status = status_of(*opened);
  const bool live = status == oci::Status::kRunning || status == oci::Status::kPaused;
  if (live && !force) {
    return make_error(ErrorKind::kWrongState,
                      "cannot delete container " + id +
                          " that is not stopped: " + std::string(oci::status_name(status)));
  }
  return destroy_container(context, *opened);
}

}  // namespace langsbx::runtime
