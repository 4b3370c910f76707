// The container's cgroups: detect → plan → create, and what later commands do with the record.
//
// Who joins when. The parent calls create(plan), then
//   v2, cgroupfs:  clone3(CLONE_INTO_CGROUP, clone_fd()): init is born inside, nothing migrates;
//   v1, cgroupfs:  clone; the cgroups may be made only then (planned(), make_beside_init()),
//                  beside init's work on its namespaces. Init enters by itself (entrance.h) and
//                  goes on;
//   otherwise:     clone, then add_process(pid) while init waits for its first message. With
//                  systemd this is the call that starts the unit, since a scope needs a process.
// apply() sets the limits before init goes on: ahead of entering where init enters by itself, else
// after it is inside. Only init and processes made by
// exec ever enter: the runtime, its forks, newuidmap and runtime hooks stay outside, so that
// pids.limit 1 leaves the one place to init, and what init has not touched yet (its pages are the
// parent's until written) is not charged: memory limits of 512 KiB work if everything that
// allocates happens in the parent.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/host.h"
#include "runtime/cgroup/plan.h"
#include "runtime/cgroup/stats.h"
#include "runtime/cgroup/used_files.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cgroup {

// All that later commands need; part of the state file.
struct Record {
  Manager manager = Manager::kCgroupfs;
  Mode mode = Mode::kNone;  // kNone: the container has no cgroup of its own
  std::vector<Placement> placements;
  std::string unit;  // systemd
  std::string slice;
  bool user_bus = false;
  bool rootless = false;
};
std::string to_json(const Record& record);
// What create(plan) or make() is going to make, for a state file written before it: delete can then
// clean up after a create that was killed. Of a systemd unit only the name is known by then.
Record planned_record(Plan plan);
Result<Record> record_from_json(std::string_view json);

class Cgroup {
 public:
  Cgroup() = default;  // none
  Cgroup(Cgroup&& other) noexcept;
  Cgroup& operator=(Cgroup&& other) noexcept;
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;
  // Kills nothing: removes the (empty) directories that create() made, unless commit()ted.
  ~Cgroup();

  [[nodiscard]] bool exists() const { return record_.mode != Mode::kNone; }
  [[nodiscard]] const Record& record() const { return record_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  void commit();

  // False: planned(), and one of these is yet to come.
  [[nodiscard]] bool made() const { return made_; }
  // Makes the directories (and enables cgroup2 controllers).
  Result<void> make();
  // The same where nothing more is cloned that could inherit the files used: those of this and of
  // apply() stay open until the entrance is closed, or until commit().
  Result<void> make_beside_init();
  UsedFiles take_used_files() { return std::exchange(used_, {}); }

  // For clone_args.cgroup; -1: clone without it and call add_process.
  [[nodiscard]] int clone_fd() const { return clone_fd_.get(); }
  // Moves a process into every hierarchy. Needless but harmless after CLONE_INTO_CGROUP.
  Result<void> add_process(pid_t pid);
  // Writes the plan's limits (create only).
  Result<void> apply();
  // Changes limits of a running container, all or none; the 0 of Docker's update means "leave as it
  // is".
  Result<void> update(const oci::Resources& resources);

  Result<void> freeze();
  Result<void> thaw();
  Result<bool> is_frozen() const;
  // Every process in the cgroup and below it, host pids, ascending.
  Result<std::vector<pid_t>> pids() const;
  // SIGKILL: until nothing is left (cgroup.kill, or freeze, signal, thaw); other signals: one
  // round.
  Result<void> kill_all(int signal = SIGKILL);
  // The quick way for a container that has ended: removes the directory in which every process of
  // it is found, and says whether that was possible. Nothing is left to be killed then; destroy()
  // removes the others.
  bool remove_uninhabited();
  // Others may have moved processes into a frozen v1 cgroup of theirs, where SIGKILL does not end
  // them. Back in ours, which is thawed, they die. Best effort.
  void reclaim_frozen() const;
  // Removes the directories with all below them; waits for processes that are already dying.
  // Removing what is gone succeeds. With systemd it stops the unit and resets its failure.
  Result<void> destroy();

  Result<Stats> stats() const;
  // Nanoseconds of all its processes, those that have ended, too; 0 where nobody counts.
  [[nodiscard]] std::uint64_t processor_time() const;
  Result<bool> has_oom_killed() const;

  // An existing directory in the container's cgroup to exec into: runc's exec --cgroup ("path", or
  // "controller[,controller]:path" on v1). For joining only; the container's cgroup stays this one.
  Result<Cgroup> sub_group(const std::vector<std::string>& paths) const;
  // Whether it is such a one: this one and no other then.
  [[nodiscard]] bool is_named() const { return named_; }
  // What to say when it has processes in groups below it. In runc's words.
  [[nodiscard]] Error cannot_join_busy() const;
  // The cgroup2 directory that `member` is in now, at or below the container's: where exec goes
  // when clone3 or add_process says EBUSY because the container made sub-cgroups with controllers.
  Result<Cgroup> group_of(pid_t member, const std::string& proc = "/proc") const;

 private:
  friend Cgroup planned(Plan plan);
  friend Result<Cgroup> open(Record record);
  Result<void> make_directories(const Plan& plan);
  Result<void> write_all(const std::vector<Write>& writes);
  Result<void> attach_program(const std::vector<std::uint64_t>& program, bool replace);
  Result<void> start_unit(const Unit& unit, pid_t pid);
  Result<void> enable_in_unit();
  Result<void> update_unit(const oci::Resources& resources);
  [[nodiscard]] const Placement* placement(std::string_view controller) const;
  [[nodiscard]] const Placement* unified() const;
  // Where every process of the container is found.
  [[nodiscard]] const Placement* process_list() const;
  void undo();

  Record record_;
  std::optional<Plan> plan_;  // until apply(); its placements are the record's
  bool unit_started_ = false;
  UniqueFd clone_fd_;
  std::vector<std::string> made_directories_;  // in the order of making
  std::vector<std::string> warnings_;
  UsedFiles used_;
  bool keeps_used_files_ = false;
  bool named_ = false;
  bool made_here_ = false;
  bool made_ = true;
};

// A cgroup to be made; its record tells already what make() is going to make.
Cgroup planned(Plan plan);
// planned() and make(); limits are written by apply().
Result<Cgroup> create(Plan plan);
// By the state file's record, for exec, kill, pause, resume, update, ps, events, delete.
Result<Cgroup> open(Record record);

// A descriptor that becomes readable at OOM kills (v1: at OOM events).
class OomWatch {
 public:
  static Result<OomWatch> start(const Record& record);
  [[nodiscard]] int fd() const { return fd_.get(); }
  // After fd() became readable: how many kills are new; empty when the cgroup is gone.
  Result<std::optional<std::uint64_t>> take();

 private:
  UniqueFd fd_;            // eventfd (v1) or inotify (v2)
  std::string directory_;  // v2
  std::string control_;    // v1: memory.oom_control
  std::uint64_t seen_ = 0;
};

// Gives the process every CPU its cpuset allows: it must not inherit the caller's affinity.
Result<void> reset_affinity(pid_t pid);

}  // namespace langsbx::cgroup
