// Opens a container for the calls after create.
#include "runtime/opened.h"

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

}  // namespace langsbx::runtime
