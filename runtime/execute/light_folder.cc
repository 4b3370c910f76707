// Making, measuring and removing host directories that a hostile program filled.
#include "runtime/execute/light_folder.h"

#include <dirent.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>

#include "runtime/execute/artifacts.h"
#include "runtime/execute/light_base.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kBytesPerEntry = 4096;
constexpr std::uint64_t kEntriesAtLeast = 16;
constexpr int kDeepest = 64;

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

// Its langsbx is dead, and is none of another pid namespace that shares the directory. In a
// container the dead one may have had our own number; what is ours is locked.
bool is_left(int base, const char* name) {
  pid_t pid = 0;
  std::from_chars(name, name + std::strlen(name), pid);
  if (pid <= 0) return false;
  if (pid != ::getpid() && (::kill(pid, 0) == 0 || errno != ESRCH)) return false;
  const auto folder = open_at(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return folder.ok() && ::flock(folder->get(), LOCK_EX | LOCK_NB) == 0;
}

void sweep(int base) {
  const auto listing = list(base);
  while (const dirent* entry = listing == nullptr ? nullptr : next_entry(listing)) {
    if (is_left(base, entry->d_name)) remove_folder(base, entry->d_name);
  }
}

Result<UniqueFd> make_folder(int parent, const char* name, mode_t mode) {
  if (::mkdirat(parent, name, mode) != 0) return system_error(std::string("mkdir ") + name);
  return open_at(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

constexpr uid_t kStays = ~uid_t{0};

// The owner first: a change of owner may take bits away.
Result<void> hand_over(int file, std::optional<Owner> owner, mode_t mode, const std::string& name) {
  if (owner && ::fchown(file, owner->uid, owner->gid) != 0) return system_error("chown " + name);
  if (::fchmod(file, mode) != 0) return system_error("chmod " + name);
  return {};
}

Result<void> put_file(int directory, const std::string& path, const std::string& content,
                      mode_t mode, std::optional<Owner> owner) {
  const auto place = TRY(open_parent_in_root(directory, path));
  const auto file = TRY(open_at(place.parent.get(), place.name.c_str(),
                                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  TRY(write_fd(file.get(), content, path));
  return hand_over(file.get(), owner, mode, path);
}

// The program's group makes files there, and moves and removes only its own.
constexpr mode_t kShared = 01770;

Result<void> put(int directory, const std::string& path, const Placed& placed, mode_t mode,
                 std::optional<Owner> owner) {
  if (placed.kind == Placed::Kind::kFile) {
    return put_file(directory, path, placed.content, mode, owner);
  }
  const auto place = TRY(open_parent_in_root(directory, path));
  if (placed.kind == Placed::Kind::kFolder) {
    const auto folder = TRY(make_folder(place.parent.get(), place.name.c_str(), 0700));
    return hand_over(folder.get(), owner, mode, path);
  }
  if (::symlinkat(placed.content.c_str(), place.parent.get(), place.name.c_str()) == 0) return {};
  return system_error("symlink " + path);
}

// The modes for the program alone: as its owner, or where that is us, by its group, which no other
// user has.
mode_t private_mode(mode_t mode, bool by_group) { return mode & (by_group ? 0550U : 0500U); }

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

Places light_places(const std::string& base, const std::string& id) {
  return {base + "/" + id + "/source", base + "/" + id + "/work"};
}

void sweep_left_folders() {
  for (const auto& base : open_bases()) sweep(base.get());
}

// Others can read neither what runs here nor what a killed run left: a source may hold a key.
Result<LightFolder> LightFolder::make(const std::string& base, const Program& program) {
  const bool other_user = program.uid != ::geteuid();
  std::optional<Owner> owner, group;
  if (other_user) {
    owner = {program.uid, program.gid};
    group = {kStays, program.gid};
  }
  LightFolder made;
  made.base_ = base;
  made.parent_ = TRY(open_base(base));
  made.name_ = program.id;
  made.folder_ = TRY(make_folder(made.parent_.get(), program.id.c_str(), 0700));
  if (::flock(made.folder_.get(), LOCK_EX | LOCK_NB) != 0) return system_error("flock");
  const auto source = TRY(make_folder(made.folder_.get(), "source", 0700));
  made.work_ = TRY(make_folder(made.folder_.get(), "work", 0700));
  const bool fixed = fixes_work(program);
  if (fixed && !other_user)
    return make_error(ErrorKind::kInternal, "files of our own are not fixed");
  for (const auto& placed : program.files) {
    if (is_below(placed.path, program.places.source)) {
      const std::string name = placed.path.substr(program.places.source.size());
      TRY(put(source.get(), name, placed, private_mode(placed.mode, other_user), group));
    } else {
      const bool shared = placed.fixed && placed.kind == Placed::Kind::kFolder;
      TRY(put(made.work_.get(), placed.path.substr(program.places.work.size()), placed,
              shared ? kShared : placed.mode, placed.fixed ? group : owner));
    }
  }
  if (const auto* const prepared = program.prepared.get()) {
    TRY_CONTEXT(copy_left(prepared->work.directory.get(), prepared->files, made.work_.get(), owner),
                "--setup");
  }
  TRY(hand_over(made.work_.get(), fixed ? group : owner, fixed ? kShared : 0700,
                "the work directory"));
  TRY(hand_over(source.get(), group, private_mode(0555, other_user), "the source's directory"));
  TRY(hand_over(made.folder_.get(), group, other_user ? 0710 : 0700, "the run's directory"));
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
