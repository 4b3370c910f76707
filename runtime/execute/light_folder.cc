// Making, measuring and removing host directories that a hostile program filled.
#include "runtime/execute/light_folder.h"

#include <dirent.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kBytesPerEntry = 4096;
constexpr std::uint64_t kEntriesAtLeast = 16;
constexpr int kDeepest = 64;

// A file system in memory that is not emptied while runs go on: a session's end clears what plain
// users have in /dev/shm, whoever else runs as them.
std::string memory_top() {
  if (::geteuid() == 0) return "/dev/shm";
  const char* const own = std::getenv("XDG_RUNTIME_DIR");
  return own != nullptr && own[0] == '/' ? own : "";
}

std::string below(const std::string& top) {
  return top + "/langsbx-execute-" + std::to_string(::geteuid());
}

// What the caller wants; empty: nothing.
std::string named_top() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && named[0] == '/' ? named : "";
}

std::string base_path() {
  const auto named = named_top();
  return below(named.empty() ? "/tmp" : named);
}

// In memory, with room for `bytes` twice, and programs can be started from it.
bool is_in_memory(const std::string& top, std::uint64_t bytes) {
  struct statfs status {};
  if (::statfs(top.c_str(), &status) != 0 || status.f_type != TMPFS_MAGIC) return false;
  if ((status.f_flags & (ST_NOEXEC | ST_RDONLY)) != 0) return false;
  if (::access(top.c_str(), W_OK) != 0) return false;
  const auto room = status.f_bavail * static_cast<std::uint64_t>(status.f_bsize);
  return room / 2 >= bytes;
}

Result<void> check_ours(const UniqueFd& base, const std::string& path) {
  struct stat status {};
  if (::fstat(base.get(), &status) != 0) return system_error("fstat " + path);
  if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return make_error(ErrorKind::kInvalidInput, path + ": belongs to somebody else");
  }
  return {};
}

// Others may pass through (the program can be another user), none but us may write.
Result<UniqueFd> open_base(const std::string& path) {
  if (::mkdir(path.c_str(), 0711) != 0 && errno != EEXIST) return system_error("mkdir " + path);
  auto base = TRY(open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  TRY(check_ours(base, path));
  if (::fchmod(base.get(), 0711) != 0) return system_error("chmod " + path);
  return base;
}

using Listing = std::unique_ptr<DIR, int (*)(DIR*)>;

Listing list(int directory) {
  auto copy = open_at(directory, ".", O_RDONLY | O_DIRECTORY);
  return {copy.ok() ? ::fdopendir(copy->release()) : nullptr, &::closedir};
}

const dirent* next_entry(const Listing& listing) {
  while (const dirent* entry = ::readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return entry;
  }
  return nullptr;
}

bool is_directory(int parent, const char* name) {
  struct stat status {};
  return ::fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

// A directory that its maker closed; where this fails, so will what follows.
void make_passable(int parent, const char* name) {
  const bool passable = ::fchmodat(parent, name, 0700, 0) == 0;
  static_cast<void>(passable);
}

// However deep a program nested its directories: each goes up to `top` before it is emptied, so
// that no path and no recursion gets long. All who could change it are dead.
void remove_directory(int top, const char* name, std::uint64_t& moved) {
  make_passable(top, name);
  const auto directory = open_at(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (directory.ok()) {
    const auto listing = list(directory->get());
    while (const dirent* entry = listing == nullptr ? nullptr : next_entry(listing)) {
      if (!is_directory(directory->get(), entry->d_name)) {
        ::unlinkat(directory->get(), entry->d_name, 0);
        continue;
      }
      make_passable(directory->get(), entry->d_name);
      const std::string away = ".gone-" + std::to_string(moved);
      if (::renameat(directory->get(), entry->d_name, top, away.c_str()) == 0) ++moved;
    }
  }
  ::unlinkat(top, name, AT_REMOVEDIR);
}

void remove_folder(int parent, const std::string& name) {
  const auto top = open_at(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!top.ok()) return;
  std::uint64_t moved = 0;
  for (bool found = true; found;) {
    found = false;
    const std::uint64_t before = moved;
    const auto listing = list(top->get());
    while (const dirent* entry = listing == nullptr ? nullptr : next_entry(listing)) {
      if (is_directory(top->get(), entry->d_name)) {
        remove_directory(top->get(), entry->d_name, moved);
      } else {
        ::unlinkat(top->get(), entry->d_name, 0);
      }
    }
    found = moved != before;
  }
  ::unlinkat(parent, name.c_str(), AT_REMOVEDIR);
}

// Its langsbx is dead, and is none of another pid namespace that shares the directory.
bool is_left(int base, const char* name) {
  pid_t pid = 0;
  std::from_chars(name, name + std::strlen(name), pid);
  if (pid <= 0 || ::kill(pid, 0) == 0 || errno != ESRCH) return false;
  const auto folder = open_at(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return folder.ok() && ::flock(folder->get(), LOCK_EX | LOCK_NB) == 0;
}

void sweep(const std::string& path) {
  const auto base = open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!base.ok() || !check_ours(*base, path).ok()) return;
  const auto listing = list(base->get());
  while (const dirent* entry = listing == nullptr ? nullptr : next_entry(listing)) {
    if (is_left(base->get(), entry->d_name)) remove_folder(base->get(), entry->d_name);
  }
}

Result<UniqueFd> make_folder(int parent, const char* name, mode_t mode) {
  if (::mkdirat(parent, name, mode) != 0) return system_error(std::string("mkdir ") + name);
  return open_at(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

Result<void> put_file(int directory, const std::string& path, const std::string& content,
                      mode_t mode, const Program& program) {
  const auto place = TRY(open_parent_in_root(directory, path));
  const auto file = TRY(open_at(place.parent.get(), place.name.c_str(),
                                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  TRY(write_fd(file.get(), content, path));
  if (program.uid != ::geteuid() && ::fchown(file.get(), program.uid, program.gid) != 0) {
    return system_error("chown " + path);
  }
  if (::fchmod(file.get(), mode) != 0) return system_error("chmod " + path);
  return {};
}

void add_use(int directory, int depth, std::uint64_t limit, std::uint64_t& entries, DiskUse& use) {
  const auto listing = list(directory);
  while (const dirent* entry = listing == nullptr ? nullptr : next_entry(listing)) {
    struct stat status {};
    if (::fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    use.bytes += static_cast<std::uint64_t>(status.st_blocks) * 512U;
    ++entries;
    use.full = use.bytes > limit || entries > limit / kBytesPerEntry + kEntriesAtLeast ||
               depth >= kDeepest;
    if (use.full) return;
    if (!S_ISDIR(status.st_mode)) continue;
    const auto below = open_at(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (below.ok()) add_use(below->get(), depth + 1, limit, entries, use);
    if (use.full) return;
  }
}

}  // namespace

Result<std::string> private_base() {
  TRY(open_base(base_path()));
  return base_path();
}

std::string light_base(std::uint64_t disk) {
  const auto top = memory_top();
  const bool in_memory = named_top().empty() && is_in_memory(top, disk);
  return in_memory ? below(top) : base_path();
}

Places light_places(const std::string& base, const std::string& id) {
  return {base + "/" + id + "/source", base + "/" + id + "/work"};
}

void sweep_left_folders() {
  sweep(base_path());
  sweep(below(memory_top()));
}

Result<LightFolder> LightFolder::make(const std::string& base, const Program& program) {
  LightFolder made;
  made.base_ = base;
  made.parent_ = TRY(open_base(base));
  made.name_ = program.id;
  made.folder_ = TRY(make_folder(made.parent_.get(), program.id.c_str(), 0711));
  if (::flock(made.folder_.get(), LOCK_EX | LOCK_NB) != 0) return system_error("flock");
  const auto source = TRY(make_folder(made.folder_.get(), "source", 0700));
  made.work_ = TRY(make_folder(made.folder_.get(), "work", 0700));
  if (!program.source.path.empty()) {
    const std::string name = program.source.path.substr(program.places.source.size());
    TRY(put_file(source.get(), name, program.source.content, program.source.mode, program));
  }
  for (const auto& input : program.inputs) {
    TRY(put_file(made.work_.get(), input.name, input.content, input.mode, program));
  }
  if (program.uid != ::geteuid() && ::fchown(made.work_.get(), program.uid, program.gid) != 0) {
    return system_error("chown the work directory");
  }
  if (::fchmod(source.get(), 0555) != 0) return system_error("chmod the source's directory");
  return made;
}

std::string LightFolder::path() const { return base_ + "/" + name_; }

LightFolder::~LightFolder() {
  if (parent_.valid() && !name_.empty()) remove_folder(parent_.get(), name_);
}

DiskUse folder_use(int directory, std::uint64_t limit) {
  DiskUse use;
  std::uint64_t entries = 0;
  add_use(directory, 0, limit, entries, use);
  return use;
}

}  // namespace langsbx::execute
