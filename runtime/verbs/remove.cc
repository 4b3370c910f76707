// delete: what a container left behind.
#include "runtime/verbs/remove.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include "oci/reader.h"
#include "runtime/base/trace.h"
#include "runtime/isolate/hooks.h"
#include "runtime/kernel/process.h"
#include "runtime/launch/opened.h"
#include "runtime/launch/prepare.h"
#include "runtime/state/process_status.h"

namespace langsbx::runtime {
namespace {

constexpr int kQuickDeathMs = 300;
constexpr int kDeathTimeoutMs = 10000;

bool ends_within(const UniqueFd& pidfd, int milliseconds) {
  pollfd ended{pidfd.get(), POLLIN, 0};
  while (::poll(&ended, 1, milliseconds) < 0 && errno == EINTR) {
  }
  return ended.revents != 0;
}

bool init_lives(const state::Record& record) {
  return record.init_pid > 0 && state::is_process_alive(record.init_pid, record.init_start_time);
}

// SIGKILL to init, wait until it is gone.
Result<void> kill_init(const state::Record& record, const cgroup::Cgroup& group) {
  auto pidfd = open_pidfd(record.init_pid);
  if (!pidfd.ok()) return {};
  // The pid may have been reused between the check and the open.
  if (!init_lives(record)) return {};
  if (auto sent = signal_pidfd(pidfd->get(), SIGKILL);
      !sent.ok() && sent.error().errno_value != ESRCH) {
    return sent;
  }
  if (ends_within(*pidfd, kQuickDeathMs)) return {};
  group.reclaim_frozen();
  if (ends_within(*pidfd, kDeathTimeoutMs)) return {};
  return make_error(ErrorKind::kTimeout, "container init still running");
}

std::vector<oci::Hook> recorded_poststop(const Opened& opened) {
  if (!opened.record.asks_config) return {};
  const auto config = opened.container.read_config();
  if (!config.ok()) return {};
  auto spec = oci::read_spec(*config, state::kConfigFile);
  if (!spec.ok()) return {};
  return std::move(spec->hooks.poststop);
}

// A failing poststop hook is reported and changes nothing: the container is gone. crun's callers
// look for its words.
std::string poststop_warning(const Context& context, const Error& error) {
  std::string text = error.to_string();
  constexpr std::string_view kStatus = "exit status ";
  const auto place = text.find(kStatus);
  if (!context.acts_as_crun() || place == std::string::npos) return text;
  const auto number = text.substr(place + kStatus.size());
  return "poststop hook failed with exit code " + number.substr(0, number.find(',')) + ": " + text;
}

}  // namespace

// Init has said why it failed and is about to end. Clients delete a container whose start failed at
// once, and keep what they made for it for ever when it seems to run: they hear of it afterwards.
void await_end(const Opened& opened) {
  const auto pidfd = open_pidfd(opened.record.init_pid);
  if (!pidfd.ok() || !init_lives(opened.record)) return;
  if (ends_within(*pidfd, kQuickDeathMs)) return;
  static_cast<void>(kill_init(opened.record, opened.group));
}

Result<void> destroy_container(const Context& context, Opened& opened, const oci::Spec* spec) {
  const trace::Span span("delete");
  // The whole cgroup first: without a pid namespace of its own, init's end does not end the rest.
  // Init may have been moved out of a cgroup that therefore looks uninhabited; it is needed then.
  const bool lives = init_lives(opened.record);
  if (opened.group.exists() && (lives || !opened.group.remove_uninhabited())) {
    if (auto killed = opened.group.kill_all(SIGKILL); !killed.ok()) {
      warn(context, {killed.error().to_string()});
    }
    if (auto thawed = opened.group.thaw(); !thawed.ok()) {
      // A cgroup that is gone can't be frozen; one that stays frozen shows in kill_init's timeout.
    }
  }
  if (lives) TRY(kill_init(opened.record, opened.group));
  TRY(opened.group.destroy());
  if (!opened.record.resctrl_directory.empty()) ::rmdir(opened.record.resctrl_directory.c_str());
  const auto poststop = spec != nullptr ? spec->hooks.poststop : recorded_poststop(opened);
  const std::string state =
      poststop.empty() ? std::string()
                       : oci::hook_state_json(state_for_hooks(opened, oci::Status::kStopped));
  const auto output = poststop.empty() ? Result<isolate::HookOutput>(isolate::HookOutput())
                                       : isolate::open_hook_output(opened.record.annotations);
  if (!output.ok()) warn(context, {output.error().to_string()});
  const isolate::HookSurroundings surroundings{nullptr, output.ok() ? &*output : nullptr};
  TRY(opened.container.remove());
  for (std::size_t i = 0; i < poststop.size(); ++i) {
    if (auto ran = isolate::run_hooks("poststop", {poststop[i]}, state, surroundings); !ran.ok()) {
      warn(context, {poststop_warning(context, ran.error())});
    }
  }
  return {};
}

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
