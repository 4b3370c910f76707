// Everything is copied into a directory of its own first and moved from there when it is complete.
#include "runtime/execute/bring_back.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runtime/execute/artifacts.h"
#include "runtime/execute/sparse_copy.h"
#include "runtime/kernel/file.h"
#include "runtime/state/remove_tree.h"

namespace langsbx::execute {
namespace {

// Removed with what is still in it.
class Staging {
 public:
  static Result<Staging> make(int parent, const std::string& id) {
    Staging made;
    made.name_ = ".langsbx-" + id;
    if (::mkdirat(parent, made.name_.c_str(), 0755) != 0) {
      return system_error("mkdir " + made.name_);
    }
    made.parent_ = parent;
    made.directory_ = TRY(open_at(parent, made.name_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    return made;
  }
  Staging(Staging&& other) noexcept
      : parent_(std::exchange(other.parent_, -1)),
        name_(std::move(other.name_)),
        directory_(std::move(other.directory_)) {}
  Staging& operator=(Staging&&) = delete;
  ~Staging() {
    if (parent_ == -1) return;
    if (directory_.valid()) static_cast<void>(state::remove_contents(directory_.get()));
    ::unlinkat(parent_, name_.c_str(), AT_REMOVEDIR);
  }

  [[nodiscard]] int directory() const { return directory_.get(); }
  // It is somebody's now.
  Result<void> become(const std::string& name) {
    auto renamed = rename_to_free_name(parent_, name_, parent_, name);
    if (!renamed.ok() && (renamed.error().errno_value != EINVAL ||
                          ::renameat(parent_, name_.c_str(), parent_, name.c_str()) != 0)) {
      return renamed;
    }
    parent_ = -1;
    return {};
  }

 private:
  Staging() = default;
  int parent_ = -1;
  std::string name_;
  UniqueFd directory_;
};

bool is_there(int directory, const std::string& name) {
  struct stat status {};
  return ::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

// An input that the program left as it was, or what an earlier run made just so.
bool is_the_same(int work, const Artifact& file, int target) {
  const auto here = open_left(target, file.name);
  struct stat status {};
  if (!here.ok() || ::fstat(here->get(), &status) != 0) return false;
  if (static_cast<std::uint64_t>(status.st_size) != file.size) return false;
  const auto left = open_left(work, file.name);
  return left.ok() && same_bytes(left->get(), here->get(), file.size).value_or(false);
}

// Not over anything: link(2) does what an older file system's rename does not know.
bool move_to_free_name(int from, int to, const std::string& name) {
  const auto renamed = rename_to_free_name(from, name, to, name);
  if (renamed.ok()) return true;
  return renamed.error().errno_value == EINVAL &&
         ::linkat(from, name.c_str(), to, name.c_str(), 0) == 0;
}

constexpr const char* kTaken = "the name is taken here; --artifact-dir DIR names another place";

Result<UniqueFd> open_target(const std::string& folder) {
  if (folder.empty()) return open_file(".", O_RDONLY | O_DIRECTORY);
  if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
    return system_error("mkdir " + folder);
  }
  return open_file(folder, O_RDONLY | O_DIRECTORY);
}

}  // namespace

Result<void> bring_kept(Record& record) {
  const auto here = TRY(open_file(".", O_RDONLY | O_DIRECTORY));
  auto staging = TRY(Staging::make(here.get(), record.id));
  TRY(copy_left(record.work.directory.get(), record.kept, staging.directory()));
  const std::string name = "langsbx-" + record.id;
  TRY(staging.become(name));
  record.kept_directory = name;
  return {};
}

Result<void> bring_artifacts(Record& record, const std::string& folder) {
  auto files = std::move(record.artifacts);
  record.artifacts.clear();
  if (files.empty()) return {};
  const auto target = TRY(open_target(folder));
  const auto staging = TRY(Staging::make(target.get(), record.id));
  const int work = record.work.directory.get();
  std::vector<Artifact> copied;
  for (auto& file : files) {
    file.mode = 0644;
    const bool here = folder.empty() && is_there(target.get(), file.name);
    if (here && is_the_same(work, file, target.get())) {
      record.artifacts.push_back(std::move(file));
    } else if (here) {
      record.left_out.add(file.name, kTaken);
    } else {
      TRY(copy_one(work, file, staging.directory(), file.name));
      copied.push_back(std::move(file));
    }
  }
  for (auto& file : copied) {
    const bool moved = folder.empty()
                           ? move_to_free_name(staging.directory(), target.get(), file.name)
                           : ::renameat(staging.directory(), file.name.c_str(), target.get(),
                                        file.name.c_str()) == 0;
    if (moved) {
      record.artifacts.push_back(std::move(file));
    } else {
      record.left_out.add(file.name, errno == EEXIST ? kTaken : errno_text(errno));
    }
  }
  return {};
}

}  // namespace langsbx::execute
