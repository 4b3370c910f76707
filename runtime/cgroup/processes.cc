// What is done to all processes of a container: freeze, list, signal, and removal of the cgroup.
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/freezer.h"
#include "runtime/cgroup/signal_members.h"
#include "runtime/cgroup/systemd/manager.h"
#include "runtime/cgroup/text.h"
#include "runtime/cgroup/tree.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

constexpr std::chrono::milliseconds kRemovePatience{5000};

Error no_cgroup(const char* what) {
  return make_error(ErrorKind::kUnsupported,
                    std::string(what) + " needs a cgroup, and the container has none");
}

bool is_gone(const Error& error) {
  return error.kind == ErrorKind::kNotFound || error.errno_value == ENOENT ||
         error.errno_value == ENODEV;
}

// A creator that was killed while its child joined one hierarchy after the other leaves the child
// in some of them only, where neither cgroup.kill nor the freezer's list finds it.
Result<void> remove_inhabited(Root& root, const std::string& directory,
                              const std::function<void()>& reclaim) {
  auto removed = remove_tree(root, directory, kRemovePatience);
  if (removed.ok() || removed.error().errno_value != EBUSY) return removed;
  auto killed = signal_members([&] { return processes_below(directory); }, SIGKILL);
  if (!killed.ok() && !is_gone(killed.error())) return killed.release_error();
  reclaim();
  return remove_tree(root, directory, kRemovePatience);
}

}  // namespace

Result<void> Cgroup::freeze() {
  const auto* where = placement("freezer");
  if (where == nullptr) return no_cgroup("freeze");
  return where->controllers.empty() ? v2::freeze(where->directory) : v1::freeze(where->directory);
}

Result<void> Cgroup::thaw() {
  const auto* where = placement("freezer");
  if (where == nullptr) return no_cgroup("thaw");
  return where->controllers.empty() ? v2::thaw(where->directory) : v1::thaw(where->directory);
}

Result<bool> Cgroup::is_frozen() const {
  const auto* where = placement("freezer");
  if (where == nullptr) return false;
  return where->controllers.empty() ? v2::is_frozen(where->directory)
                                    : v1::is_frozen(where->directory);
}

Result<std::vector<pid_t>> Cgroup::pids() const {
  const auto* where = process_list();
  if (where == nullptr) return no_cgroup("the list of processes");
  return processes_below(where->directory);
}

Result<void> Cgroup::kill_all(int signal) {
  const auto* tree = unified();
  if (signal == SIGKILL && tree != nullptr) {
    const auto killed = write_file(tree->directory + "/cgroup.kill", "1");
    if (killed.ok()) {
      // A process that the v1 freezer holds dies only when it is let go.
      const bool v1_freezer = record_.mode == Mode::kHybrid && TRY(is_frozen());
      return v1_freezer ? thaw() : Result<void>();
    }
    // Before 5.14 there is no such file, and in a threaded cgroup it is not writable.
  }
  constexpr int kRounds = 10;
  const bool was_frozen = TRY(is_frozen());
  for (int round = 0; round < kRounds; ++round) {
    // Frozen, nothing forks away between the list and the signals.
    const bool frozen_here = !was_frozen && freeze().ok();
    auto signalled = signal_members([this] { return pids(); }, signal);
    const bool nobody = signalled.ok() ? *signalled == 0 : is_gone(signalled.error());
    if (frozen_here || (was_frozen && signal == SIGKILL)) {
      auto thawed = thaw();
      if (!thawed.ok() && !is_gone(thawed.error())) return thawed;
    }
    if (!signalled.ok() && !nobody) return signalled.release_error();
    // With a freezer one round is complete; without, what was forked meanwhile needs another.
    if (signal != SIGKILL || frozen_here || was_frozen || nobody) {
      return {};
    }
  }
  return {};
}

bool Cgroup::remove_uninhabited() {
  // systemd removes what it made.
  if (!record_.unit.empty()) return false;
  const auto* list = process_list();
  if (list == nullptr) return false;
  const auto [start, path] = used_.root().place(list->directory);
  if (::unlinkat(start, path, AT_REMOVEDIR) != 0) return false;
  record_.placements.erase(record_.placements.begin() + (list - record_.placements.data()));
  return true;
}

void Cgroup::reclaim_frozen() const {
  const auto* freezer = placement("freezer");
  if (freezer == nullptr || freezer->controllers.empty()) return;
  for (const auto& one : record_.placements) {
    if (one.has("freezer")) continue;
    const auto members = processes_below(one.directory);
    if (!members.ok()) continue;
    for (const pid_t pid : *members) {
      // It may be gone by now, or be nobody whom we may move.
      static_cast<void>(write_file(freezer->directory + "/cgroup.procs", std::to_string(pid)));
    }
  }
}

Result<void> Cgroup::destroy() {
  if (!record_.unit.empty()) TRY(systemd::stop_unit(record_.unit, record_.user_bus));
  for (const auto& placement : record_.placements) {
    auto removed =
        remove_inhabited(used_.root(), placement.directory, [this] { reclaim_frozen(); });
    if (removed.ok()) continue;
    // A hierarchy that is read-only now was not ours to clean when it was made either.
    if (record_.rootless && removed.error().errno_value == EROFS) continue;
    return removed.release_error().with_context("container's cgroup is not empty");
  }
  made_here_ = false;
  used_.close();
  return {};
}

// In runc's words; takes errno.
static Error cannot_join(const std::string& spec, const std::string& directory) {
  return system_error("adding pid to --cgroup " + spec + ": " + directory + "/cgroup.procs");
}

Result<Cgroup> Cgroup::sub_group(const std::vector<std::string>& paths) const {
  Cgroup group;
  group.record_ = record_;
  for (const auto& spec : paths) {
    const auto colon = spec.find(':');
    const bool for_all = colon == std::string::npos;
    const std::string path = for_all ? spec : spec.substr(colon + 1);
    // The words of runc 1.5, then those of 1.1.
    TRY_CONTEXT(check_path(path, "--cgroup"),
                "bad sub cgroup path: " + path + " is not a sub cgroup path");
    std::vector<std::string_view> names;
    if (!for_all) names = split(std::string_view(spec).substr(0, colon), ',');
    if (!for_all && record_.mode == Mode::kV2) {
      return make_error(ErrorKind::kInvalidInput,
                        "--cgroup " + spec + ": cgroup v2 has no path for each controller");
    }
    std::size_t matched = 0;
    std::size_t joined = 0;
    for (auto& placement : group.record_.placements) {
      const auto named = [&](std::string_view name) { return placement.has(name); };
      const auto count = std::count_if(names.begin(), names.end(), named);
      if (!for_all && count == 0) continue;
      matched += static_cast<std::size_t>(count);
      const std::string directory = join_path(placement.directory, path);
      if (::access(directory.c_str(), F_OK) == 0) {
        placement.directory = directory;
        ++joined;
      } else if (!for_all || errno != ENOENT) {
        return cannot_join(spec, directory);
      }
    }
    // On v1 a path for all is one for those hierarchies where somebody made it.
    if (joined == 0 && matched == names.size()) {
      errno = ENOENT;
      const auto& placements = group.record_.placements;
      return cannot_join(spec,
                         placements.empty() ? path : join_path(placements[0].directory, path));
    }
    if (matched != names.size()) {
      return make_error(ErrorKind::kInvalidInput,
                        "--cgroup " + spec + ": unknown controller for this container");
    }
  }
  auto joined = TRY(open(std::move(group.record_)));
  joined.named_ = true;
  return joined;
}

Error Cgroup::cannot_join_busy() const {
  const auto* tree = unified();
  const std::string directory = tree == nullptr ? std::string() : tree->directory;
  return system_error("adding pid of exec to cgroups " + directory + "/cgroup.procs", EBUSY);
}

Result<Cgroup> Cgroup::group_of(pid_t member, const std::string& proc) const {
  const auto* tree = unified();
  if (tree == nullptr) return no_cgroup("joining another cgroup");
  const auto text = TRY(read_file(proc + "/" + std::to_string(member) + "/cgroup"));
  for (const auto line : split(text, '\n')) {
    if (!line.starts_with("0::")) continue;
    const std::string directory = join_path(tree->mount_point, line.substr(3));
    if (directory != tree->directory && !directory.starts_with(tree->directory + "/")) break;
    Record record = record_;
    for (auto& placement : record.placements) {
      if (placement.controllers.empty()) placement.directory = directory;
    }
    return open(std::move(record));
  }
  return make_error(ErrorKind::kWrongState,
                    "process " + std::to_string(member) + " is not in the container's cgroup");
}

}  // namespace langsbx::cgroup
