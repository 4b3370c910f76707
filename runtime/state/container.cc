// One container's directory: lock, files, status, removal.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runtime/kernel/file.h"
#include "runtime/state/process_status.h"
#include "runtime/state/remove_tree.h"
#include "runtime/state/store.h"

namespace langsbx::state {
namespace {

constexpr const char* kStagedRecord = "state.json.next";
constexpr std::size_t kRecordLimit = std::size_t{16} << 20U;
constexpr std::size_t kConfigLimit = std::size_t{64} << 20U;

Error does_not_exist() { return make_error(ErrorKind::kNotFound, "container does not exist"); }

}  // namespace

Container& Container::operator=(Container&& other) noexcept {
  // `other` takes what this one held to its end.
  std::swap(id_, other.id_);
  std::swap(path_, other.path_);
  std::swap(proc_, other.proc_);
  std::swap(fd_, other.fd_);
  std::swap(locked_, other.locked_);
  std::swap(remove_when_destroyed_, other.remove_when_destroyed_);
  return *this;
}

Container::~Container() {
  // A moved-from container has no descriptor and owns nothing.
  if (!fd_.valid()) return;
  if (remove_when_destroyed_) static_cast<void>(remove());
  // Closing is not enough: a child that inherited the descriptor would go on holding the lock.
  unlock();
}

Result<void> Container::lock() {
  if (locked_) return {};
  while (::flock(fd_.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return system_error("flock " + path_);
  }
  locked_ = true;
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) return system_error("fstat " + path_);
  if (status.st_nlink == 0) return does_not_exist();
  return {};
}

void Container::unlock() {
  if (locked_) ::flock(fd_.get(), LOCK_UN);
  locked_ = false;
}

bool Container::is_locked_elsewhere() const {
  if (locked_) return false;
  // A descriptor of its own: flock on fd_ would mix with the lock we may hold or want.
  auto probe = open_file(path_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!probe.ok()) return false;
  return ::flock(probe->get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::optional<uid_t> Container::owner_if_foreign() const {
  struct stat facts {};
  if (::fstat(fd_.get(), &facts) != 0) return std::nullopt;
  if (facts.st_uid == ::geteuid()) return std::nullopt;
  return facts.st_uid;
}

Result<Record> Container::read_record() const {
  // What is staged may be put into its place meanwhile.
  for (const char* file : {kRecordFile, kStagedRecord, kRecordFile}) {
    auto text = read_plain_file_at(fd_.get(), file, kRecordLimit);
    if (!text.ok() && text.error().errno_value == ENOENT) continue;
    if (!text.ok()) return text.release_error().with_context(path_);
    if (text->empty() && file == kStagedRecord) continue;  // being written, or never was
    const std::string path = path_ + "/" + file;
    auto record = TRY(record_from_json(*text, path));
    if (record.id != id_) {
      return make_error(ErrorKind::kInvalidInput, path + ": is of \"" + record.id + "\"");
    }
    record.complete = record.complete && file == kRecordFile;
    return record;
  }
  return make_error(ErrorKind::kNotFound,
                    "container does not exist: " + path_ + " holds no state.json");
}

Result<void> Container::write_record(const Record& record) {
  return replace_file_at(fd_.get(), kRecordFile, to_json(record), 0600);
}

Result<void> Container::stage_record(const Record& record) {
  const auto fd =
      TRY_CONTEXT(open_at(fd_.get(), kStagedRecord, O_WRONLY | O_CREAT | O_TRUNC, 0600), path_);
  return write_fd(fd.get(), to_json(record), kRecordFile);
}

Result<void> Container::settle_record() {
  if (::renameat(fd_.get(), kStagedRecord, fd_.get(), kRecordFile) != 0) {
    return system_error(path_ + ": rename the record");
  }
  return {};
}

Result<std::string> Container::read_config() const {
  return TRY_CONTEXT(read_plain_file_at(fd_.get(), kConfigFile, kConfigLimit), path_);
}

Result<void> Container::write_config(std::string_view json) {
  // Before any record.
  const auto file = TRY(open_at(fd_.get(), kConfigFile, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  return write_fd(file.get(), json, kConfigFile);
}

oci::Status Container::status(const Record& record, const IsPaused& is_paused) const {
  using enum oci::Status;
  // An incomplete record is of a `create` that goes on, as long as somebody holds the lock.
  if (!record.complete && is_locked_elsewhere()) return kCreating;
  if (!may_be_alive(record.init_pid, record.init_start_time, proc_)) return kStopped;
  // What a dead `create` left: its init never gets further than this.
  if (!record.complete) return kCreated;
  // A container that was not started can be frozen too.
  if (is_paused && owner_if_foreign() == std::nullopt && is_paused(record)) return kPaused;
  const bool waits = ::faccessat(fd_.get(), kStartSocket, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  return waits ? kCreated : kRunning;
}

oci::State Container::state(const Record& record, const IsPaused& is_paused) const {
  oci::State state;
  state.oci_version = record.oci_version;
  state.id = record.id;
  state.status = status(record, is_paused);
  state.pid = state.status == oci::Status::kStopped ? 0 : record.init_pid;
  state.bundle = record.bundle;
  state.annotations = record.annotations;
  state.rootfs = record.rootfs;
  state.created = record.created;
  struct stat directory {};
  if (::fstat(fd_.get(), &directory) == 0) state.owner = user_name(directory.st_uid);
  return state;
}

Result<void> Container::remove() {
  remove_when_destroyed_ = false;
  // As a rule these two are all that is in it.
  for (const char* file : {kConfigFile, kRecordFile}) ::unlinkat(fd_.get(), file, 0);
  if (::rmdir(path_.c_str()) == 0 || errno == ENOENT) return {};
  TRY_CONTEXT(remove_contents(fd_.get()), path_);
  if (::rmdir(path_.c_str()) != 0 && errno != ENOENT) return system_error("rmdir " + path_);
  return {};
}

}  // namespace langsbx::state
