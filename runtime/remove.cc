// delete: what a container left behind.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "oci/reader.h"
#include "runtime/opened.h"
#include "runtime/poststart.h"
#include "runtime/prepare.h"

namespace langsbx::runtime {
namespace {

// `create` was killed before it wrote a record: only the directory is there.
Result<void> remove_remains(const Context& context, const std::string& id) {
  auto container = TRY(state::Store(context.root).open(id));
  TRY(container.lock());
  return container.remove();
}

// The cgroup that config.json gives the container, when that does not depend on who created it.
Result<cgroup::Cgroup> cgroup_by_config(const Context& context, const std::string& id,
                                        const oci::Spec& spec) {
  cgroup::Config config;
  config.manager = context.cgroup_manager;
  config.id = id;
  config.annotations = &spec.annotations;
  if (spec.linux_) config.path = spec.linux_->cgroups_path;
  const bool relative = !config.path.empty() && !config.path.starts_with('/');
  if (relative && config.manager != cgroup::Manager::kSystemd) return cgroup::open({});
  auto plan = TRY(cgroup::plan(config, TRY(cgroup::detect())));
  auto group = TRY(cgroup::open(cgroup::planned_record(std::move(plan))));
  const auto members = group.pids();
  const auto is_ours = [](pid_t pid) { return pid == ::getpid() || pid == ::getppid(); };
  if (members.ok() && std::any_of(members->begin(), members->end(), is_ours)) {
    return make_error(ErrorKind::kWrongState, "the container's cgroup is the caller's own");
  }
  return group;
}

// The record is damaged: what ran is found by the cgroup that the configuration names.
Result<void> remove_damaged(const Context& context, const std::string& id, const Error& damage) {
  auto container = TRY(state::Store(context.root).open(id));
  TRY(container.lock());
  warn(context, {damage.to_string() + "; cleaning up by config.json"});
  state::Record record;
  record.id = id;
  oci::Spec spec;
  if (auto config = container.read_config(); config.ok()) {
    auto read = oci::read_spec(*config, state::kConfigFile);
    if (!read.ok()) {
      warn(context, {read.error().to_string() + "; processes and cgroups, if any, stay"});
      return container.remove();
    }
    spec = read.release_value();
  }
  record.annotations = spec.annotations;
  auto group = TRY(cgroup_by_config(context, id, spec));
  Opened opened{std::move(container), std::move(record), std::move(group)};
  return destroy_container(context, opened);
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
    if (opened.error().kind == ErrorKind::kNotFound) return remove_remains(context, id);
    if (force) return remove_damaged(context, id, opened.error());
    return opened.release_error();
  }
  const auto status = status_of(*opened);
  const bool live = status == oci::Status::kRunning || status == oci::Status::kPaused;
  if (live && !force) {
    return make_error(ErrorKind::kWrongState,
                      "cannot delete container " + id +
                          " that is not stopped: " + std::string(oci::status_name(status)));
  }
  if (status == oci::Status::kStopped) opened->record.init_pid = 0;  // needs no second look
  return destroy_container(context, *opened);
}

}  // namespace langsbx::runtime
