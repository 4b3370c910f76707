// Opens a container for the calls after create.
#include "runtime/launch/opened.h"

#include <poll.h>

#include <cerrno>

#include "runtime/kernel/process.h"
#include "runtime/state/process_status.h"

namespace langsbx::runtime {

Result<cgroup::Cgroup> cgroup_of(const state::Record& record) {
  if (record.cgroup.empty()) return cgroup::open({});
  return cgroup::open(TRY(cgroup::record_from_json(record.cgroup)));
}

Result<Opened> open_locked(const Context& context, const std::string& id) {
  auto container = TRY(state::Store(context.root).open(id));
  TRY(container.lock());
  auto record = TRY(container.read_record());
  auto group = TRY(cgroup_of(record));
  return Opened{std::move(container), std::move(record), std::move(group)};
}

oci::Status status_of(const Opened& opened) {
  return opened.container.status(opened.record, [&](const state::Record&) {
    const auto frozen = opened.group.is_frozen();
    return frozen.ok() && *frozen;
  });
}

oci::State state_for_hooks(const Opened& opened, oci::Status status) {
  auto state = opened.container.state(opened.record);
  state.status = status;
  // A program that has ended by now had this pid all the same: poststart is told it.
  state.pid = status == oci::Status::kStopped ? 0 : opened.record.init_pid;
  return state;
}

Result<UniqueFd> open_init(const state::Record& record) {
  constexpr const char* kGone = "container not running: no such process";
  if (record.init_pid <= 0) return make_error(ErrorKind::kWrongState, kGone);
  auto pidfd = open_pidfd(record.init_pid);
  if (!pidfd.ok() && pidfd.error().errno_value != ESRCH) return pidfd;
  if (!pidfd.ok() || !state::is_process_alive(record.init_pid, record.init_start_time)) {
    return make_error(ErrorKind::kWrongState, kGone);
  }
  return pidfd;
}

bool still_lives(const UniqueFd& pidfd) {
  pollfd ended{pidfd.get(), POLLIN, 0};
  return ::poll(&ended, 1, 0) == 0;
}

}  // namespace langsbx::runtime
