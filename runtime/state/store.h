// The directories of all containers: <root>/<id>/ with
//   config.json   a copy, for exec and delete      state.json   the Record
//   start.sock    from `create` until `start`: tells "created" from "running"
// and whatever else the owners put there. The directory itself carries the lock (flock), so there
// is no lock file to lose, and a waiter sees that the directory was deleted while it waited.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oci/state.h"
#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/state/record.h"

namespace langsbx::state {

inline constexpr const char* kStartSocket = "start.sock";
inline constexpr const char* kRecordFile = "state.json";
inline constexpr const char* kConfigFile = "config.json";

// Beside the containers' directories: filters and other things that are made once.
inline constexpr std::string_view kCacheFolder = ".cache";

// "invalid container ID format: ..." unless [A-Za-z0-9_+.-]+, as runc has it; not ".", "..", nor
// kCacheFolder. crun refuses each that starts with a dot.
Result<void> check_id(std::string_view id, bool as_crun = false);

// Asks the cgroup; only for live containers that were started.
using IsPaused = std::function<bool(const Record&)>;

// One container's directory. Move-only; unlocks when destroyed.
class Container {
 public:
  Container() = default;  // none
  Container(Container&&) noexcept = default;
  Container& operator=(Container&& other) noexcept;
  ~Container();

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::string& path() const { return path_; }  // <root>/<id>
  [[nodiscard]] int fd() const { return fd_.get(); }

  // Waits for other calls on this container. "container does not exist" when it was deleted
  // meanwhile. A forked child shares the lock: it must close fd() (or exec) at once, or a killed
  // parent leaves the container locked as long as the child lives.
  Result<void> lock();
  void unlock();

  // kNotFound when `create` died before it wrote one.
  Result<Record> read_record() const;
  Result<void> write_record(const Record& record);
  // The same in two steps: written beside the record in force, then put in its place. Where there
  // is none yet, what is staged is read as an incomplete record.
  Result<void> stage_record(const Record& record);
  Result<void> settle_record();
  Result<std::string> read_config() const;
  Result<void> write_config(std::string_view json);

  // The status by record, process, start socket and lock. Give IsPaused to tell paused from
  // running.
  oci::Status status(const Record& record, const IsPaused& is_paused = {}) const;
  oci::State state(const Record& record, const IsPaused& is_paused = {}) const;

  // Keeps what claim() made.
  void commit() { remove_when_destroyed_ = false; }
  // Deletes the directory with all in it; being gone already is no error.
  Result<void> remove();

 private:
  friend class Store;
  Container(std::string id, std::string path, std::string proc, UniqueFd fd)
      : id_(std::move(id)), path_(std::move(path)), proc_(std::move(proc)), fd_(std::move(fd)) {}
  [[nodiscard]] bool is_locked_elsewhere() const;
  // Another user than ours, whose word everything in the directory then is.
  [[nodiscard]] std::optional<uid_t> owner_if_foreign() const;

  std::string id_;
  std::string path_;
  std::string proc_;
  UniqueFd fd_;
  bool locked_ = false;
  bool remove_when_destroyed_ = false;
};

class Store {
 public:
  explicit Store(std::string root, std::string proc = "/proc")
      : root_(std::move(root)), proc_(std::move(proc)) {}

  [[nodiscard]] const std::string& root() const { return root_; }

  // A new, locked directory; removed again unless commit()ted. "container with given ID already
  // exists" when the id is taken.
  Result<Container> claim(std::string_view id) const;
  // "container does not exist"; not locked. Refused when it is another user's: its record names
  // processes to be killed, and its config.json hooks to be run.
  Result<Container> open(std::string_view id) const;
  // Sorted. A root that does not exist holds no containers.
  Result<std::vector<std::string>> ids() const;
  // All containers with a record, those of other users too; those that vanish meanwhile or are
  // unreadable are left out and the latter reported in `problems`.
  Result<std::vector<oci::State>> list(const IsPaused& is_paused,
                                       std::vector<Error>& problems) const;

 private:
  Result<Container> open_of_anybody(std::string_view id) const;

  std::string root_;
  std::string proc_;
};

// The name of a user in /etc/passwd; "#<uid>" without one. Not getpwuid, which loads libraries.
std::string user_name(uid_t uid, const std::string& passwd = "/etc/passwd");

}  // namespace langsbx::state
