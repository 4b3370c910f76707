// Makes the container's cgroups and puts processes into them.
#include "runtime/cgroup/cgroup.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "runtime/cgroup/refusals.h"
#include "runtime/cgroup/systemd/manager.h"
#include "runtime/cgroup/text.h"
#include "runtime/cgroup/tree.h"
#include "runtime/cgroup/v1/cpuset_inherit.h"
#include "runtime/cgroup/v2/device_filter.h"
#include "runtime/cgroup/v2/enable.h"
#include "runtime/cgroup/write_values.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

constexpr std::chrono::milliseconds kUndoPatience{1000};

bool is_no_permission(int error) { return error == EACCES || error == EPERM || error == EROFS; }

struct Making {
  const Plan* plan;
  std::vector<std::string>* made;
  UsedFiles* used;
  std::size_t new_levels = 0;  // in the hierarchy before
};

Result<void> prepare(const Placement& placement, Making& making) {
  const Plan& plan = *making.plan;
  making.new_levels = TRY(make_directory(making.used->root(), placement.mount_point,
                                         placement.directory, *making.made, making.new_levels));
  if (making.new_levels == 0) {
    TRY(refuse_if_inhabited(placement.directory));
    TRY(refuse_if_frozen(placement));
  }
  if (placement.has("cpuset")) {
    TRY(v1::inherit_cpuset(placement.mount_point, placement.directory, making.new_levels,
                           *making.used));
  }
  if (!placement.controllers.empty()) return {};
  const bool hybrid = plan.mode == Mode::kHybrid;
  if (!hybrid || !plan.required_controllers.empty()) {
    TRY(v2::enable_controllers(placement.mount_point, placement.directory,
                               plan.required_controllers, hybrid, *making.used));
  }
  return v2::settle_type(placement.mount_point, placement.directory, plan.required_controllers,
                         *making.used);
}

// Without permission, a hierarchy in which nothing was asked for can be done without.
bool can_do_without(const Placement& placement, const std::vector<Placement>& all,
                    const Plan& plan) {
  if (!plan.rootless) return false;
  if (plan.may_do_without) return true;
  const auto belongs = [&](const Write& write) {
    return placement_of(all, write.controller) == &placement;
  };
  return std::none_of(plan.writes.begin(), plan.writes.end(), belongs) &&
         std::none_of(plan.before_join.begin(), plan.before_join.end(), belongs);
}

Result<void> join(const std::string& directory, pid_t pid, UsedFiles& used) {
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    auto written = used.write(directory + "/cgroup.procs", std::to_string(pid));
    // EINVAL: the scheduler has not finished with a process that was just made.
    if (written.ok() || written.error().errno_value != EINVAL || attempt == kAttempts) {
      return written;
    }
    ::poll(nullptr, 0, 10 * attempt);
  }
}

// The container's root may make cgroups below its own: the files the kernel lists for that.
Result<void> delegate(const std::string& directory, const Owner& owner) {
  if (::chown(directory.c_str(), owner.uid, owner.gid) != 0) {
    return system_error("chown " + directory);
  }
  auto list = read_file("/sys/kernel/cgroup/delegate");
  const std::string names =
      list.ok() ? list.release_value() : "cgroup.procs\ncgroup.subtree_control\ncgroup.threads\n";
  for (const auto name : split(names, '\n')) {
    const std::string path = join_path(directory, name);
    if (::chown(path.c_str(), owner.uid, owner.gid) != 0 && errno != ENOENT) {
      return system_error("chown " + path);
    }
  }
  return {};
}

// Takes the placements along.
Record record_out_of(Plan& plan) {
  Record record;
  record.manager = plan.manager;
  record.mode = plan.mode;
  record.rootless = plan.rootless;
  record.placements = std::move(plan.placements);
  if (plan.unit) {
    record.unit = plan.unit->name;
    record.slice = plan.unit->slice;
    record.user_bus = plan.unit->user_bus;
  }
  return record;
}

}  // namespace

Cgroup::Cgroup(Cgroup&& other) noexcept
    : record_(std::move(other.record_)),
      plan_(std::move(other.plan_)),
      unit_started_(std::exchange(other.unit_started_, false)),
      clone_fd_(std::move(other.clone_fd_)),
      made_directories_(std::move(other.made_directories_)),
      warnings_(std::move(other.warnings_)),
      used_(std::move(other.used_)),
      keeps_used_files_(other.keeps_used_files_),
      named_(other.named_),
      made_here_(std::exchange(other.made_here_, false)),
      made_(other.made_) {}

Cgroup& Cgroup::operator=(Cgroup&& other) noexcept {
  if (this == &other) return *this;
  undo();
  record_ = std::move(other.record_);
  plan_ = std::move(other.plan_);
  unit_started_ = std::exchange(other.unit_started_, false);
  clone_fd_ = std::move(other.clone_fd_);
  made_directories_ = std::move(other.made_directories_);
  warnings_ = std::move(other.warnings_);
  used_ = std::move(other.used_);
  keeps_used_files_ = other.keeps_used_files_;
  named_ = other.named_;
  made_here_ = std::exchange(other.made_here_, false);
  made_ = other.made_;
  return *this;
}

Cgroup::~Cgroup() { undo(); }

void Cgroup::commit() {
  made_here_ = false;
  used_.close();
}

void Cgroup::undo() {
  if (!made_here_) return;
  made_here_ = false;
  if (unit_started_) {
    [[maybe_unused]] const auto ignored = systemd::stop_unit(record_.unit, record_.user_bus);
  }
  for (auto made = made_directories_.rbegin(); made != made_directories_.rend(); ++made) {
    const bool container =
        std::any_of(record_.placements.begin(), record_.placements.end(),
                    [&](const Placement& placement) { return placement.directory == *made; });
    if (container) {
      [[maybe_unused]] const auto ignored = remove_tree(used_.root(), *made, kUndoPatience);
    } else {
      // A parent that others may use by now.
      const auto [start, path] = used_.root().place(*made);
      ::unlinkat(start, path, AT_REMOVEDIR);
    }
  }
  used_.close();
}

const Placement* Cgroup::placement(std::string_view controller) const {
  return placement_of(record_.placements, controller);
}

const Placement* Cgroup::unified() const {
  for (const auto& placement : record_.placements) {
    if (placement.controllers.empty()) return &placement;
  }
  return nullptr;
}

const Placement* Cgroup::process_list() const {
  if (const auto* tree = unified()) return tree;
  for (const char* name : {"freezer", "pids", "devices"}) {
    if (const auto* found = placement(name)) return found;
  }
  return record_.placements.empty() ? nullptr : &record_.placements.front();
}

Result<void> Cgroup::make_directories(const Plan& plan) {
  auto& all = record_.placements;
  std::vector<std::size_t> missing;
  Making making{&plan, &made_directories_, &used_};
  made_directories_.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto prepared = prepare(all[i], making);
    if (prepared.ok()) continue;
    auto error = prepared.release_error();
    if (!is_no_permission(error.errno_value) || !can_do_without(all[i], all, plan)) {
      return std::move(error).with_context("cgroup");
    }
    missing.push_back(i);
  }
  for (auto i = missing.rbegin(); i != missing.rend(); ++i) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(*i));
  }
  if (all.empty()) record_.mode = Mode::kNone;
  return {};
}

Record planned_record(Plan plan) { return record_out_of(plan); }

Cgroup planned(Plan plan) {
  Cgroup cgroup;
  cgroup.made_here_ = true;
  cgroup.made_ = false;
  cgroup.record_ = record_out_of(plan);
  cgroup.warnings_ = std::move(plan.warnings);
  cgroup.plan_ = std::move(plan);
  return cgroup;
}

Result<void> Cgroup::make_beside_init() {
  keeps_used_files_ = true;
  made_ = true;
  if (plan_->mode == Mode::kNone) {
    plan_.reset();
    return {};
  }
  if (plan_->unit) return {};
  TRY(make_directories(*plan_));
  TRY(write_all(plan_->before_join));
  if (record_.mode != Mode::kV2) return {};
  clone_fd_ = TRY(open_file(record_.placements.front().directory, O_RDONLY | O_DIRECTORY));
  return {};
}

Result<void> Cgroup::make() {
  auto done = make_beside_init();
  keeps_used_files_ = false;
  used_.close();
  return done;
}

Result<Cgroup> create(Plan plan) {
  auto cgroup = planned(std::move(plan));
  TRY(cgroup.make());
  return cgroup;
}

Result<Cgroup> open(Record record) {
  Cgroup cgroup;
  cgroup.record_ = std::move(record);
  if (cgroup.record_.mode == Mode::kV2 && !cgroup.record_.placements.empty()) {
    auto directory = open_file(cgroup.record_.placements.front().directory, O_RDONLY | O_DIRECTORY);
    // A stopped container's cgroup may be gone; delete has to work all the same.
    if (directory.ok()) cgroup.clone_fd_ = directory.release_value();
  }
  return cgroup;
}

Result<void> Cgroup::start_unit(const Unit& unit, pid_t pid) {
  TRY(refuse_if_place_frozen(unit, plan_->host));
  const std::string path = TRY(systemd::start_unit(unit, pid));
  unit_started_ = true;
  const auto place = [&](const Hierarchy& hierarchy) -> Result<void> {
    Placement placement{.controllers = hierarchy.controllers,
                        .mount_point = hierarchy.mount_point,
                        .directory = join_path(hierarchy.directory(path), unit.subgroup)};
    Placement of_unit = placement;
    of_unit.directory = hierarchy.directory(path);
    TRY(refuse_if_unit_frozen(of_unit));
    const auto new_levels = TRY(make_directory(used_.root(), placement.mount_point,
                                               placement.directory, made_directories_));
    TRY(refuse_if_unit_frozen(placement));
    if (placement.has("cpuset")) {
      TRY(v1::inherit_cpuset(placement.mount_point, placement.directory, new_levels, used_));
    }
    record_.placements.push_back(std::move(placement));
    return {};
  };
  const Host& host = plan_->host;
  for (const auto& hierarchy : host.hierarchies) TRY(place(hierarchy));
  if (!host.unified.mount_point.empty()) TRY(place(host.unified));
  return write_all(plan_->before_join);
}

Result<void> Cgroup::add_process(pid_t pid) {
  bool joined_by_systemd = false;
  if (plan_ && plan_->unit && !unit_started_) {
    TRY(start_unit(*plan_->unit, pid));
    joined_by_systemd = record_.mode == Mode::kV2 && plan_->unit->subgroup.empty() &&
                        !plan_->unit->name.ends_with(".slice");
  }
  if (!joined_by_systemd) {
    for (const auto& placement : record_.placements) {
      TRY_CONTEXT(join(placement.directory, pid, used_),
                  "cgroup: join process " + std::to_string(pid));
    }
  }
  auto enabled = enable_in_unit();
  used_.close();
  return enabled;
}

Result<void> Cgroup::enable_in_unit() {
  if (!plan_ || !plan_->unit || record_.mode != Mode::kV2) return {};
  const auto& tree = record_.placements.front();
  const auto& required = plan_->required_controllers;
  if (plan_->unit->subgroup.empty()) {
    return v2::enable_controllers(tree.mount_point, tree.directory, required, true, used_);
  }
  // The unit's cgroup holds no process any more, so its controllers can reach the sub-cgroup.
  const std::string unit_directory(parent_path(tree.directory));
  TRY(v2::enable_controllers(tree.mount_point, unit_directory, required, true, used_));
  return v2::enable_controllers(unit_directory, tree.directory, required, false, used_);
}

Result<void> Cgroup::write_all(const std::vector<Write>& writes) {
  return write_values(writes, record_.placements, warnings_, used_);
}

Result<void> Cgroup::attach_program(const std::vector<std::uint64_t>& program, bool replace) {
  if (program.empty() && !replace) return {};
  if (record_.mode == Mode::kV2 && clone_fd_.valid()) {
    return v2::attach_device_program(clone_fd_.get(), program, replace);
  }
  const auto directory = TRY(open_file(unified()->directory, O_RDONLY | O_DIRECTORY));
  return v2::attach_device_program(directory.get(), program, replace);
}

Result<void> Cgroup::apply() {
  if (!plan_) return {};
  const Plan plan = *std::exchange(plan_, std::nullopt);
  if (!exists()) return {};
  TRY(check_memory_usage(plan.memory_must_exceed_usage, record_.placements));
  TRY(write_all(plan.writes));
  if (!keeps_used_files_) used_.close();
  const auto* tree = unified();
  if (tree == nullptr) return {};
  auto filtered = attach_program(plan.device_program, false);
  // Rootless, the user namespace already keeps the container from making device nodes.
  if (!filtered.ok() && !(plan.rootless && is_no_permission(filtered.error().errno_value))) {
    return filtered;
  }
  if (plan.delegate_to) TRY(delegate(tree->directory, *plan.delegate_to));
  return {};
}

Result<void> reset_affinity(pid_t pid) {
  // More bits than any kernel has CPUs; the kernel cuts the mask to what the cpuset allows.
  constexpr std::size_t kBytes = 8192 / 8;
  alignas(cpu_set_t) unsigned char mask[kBytes];
  std::fill(std::begin(mask), std::end(mask), static_cast<unsigned char>(0xff));
  if (::sched_setaffinity(pid, kBytes, reinterpret_cast<cpu_set_t*>(mask)) != 0) {
    return system_error("sched_setaffinity of process " + std::to_string(pid));
  }
  return {};
}

}  // namespace langsbx::cgroup
