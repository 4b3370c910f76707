// Making, measuring and removing host directories that a hostile program filled.
#include "runtime/execute/light_folder.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <memory>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kBytesPerEntry = 4096;
constexpr std::uint64_t kEntriesAtLeast = 16;
constexpr int kDeepest = 64;

std::string base_path() {
  const char* const named = std::getenv("TMPDIR");
  const std::string top = named != nullptr && named[0] == '/' ? named : "/tmp";
  return top + "/langsbx-execute-" + std::to_string(::geteuid());
}

// Others may pass through (the program can be another user), none but us may write.
Result<UniqueFd> open_base() {
  const std::string path = base_path();
  if (::mkdir(path.c_str(), 0711) != 0 && errno != EEXIST) return system_error("mkdir " + path);
  auto base = TRY(open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  struct stat status {};
  if (::fstat(base.get(), &status) != 0) return system_error("fstat " + path);
  if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return make_error(ErrorKind::kInvalidInput, path + ": belongs to somebody else");
  }
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

void sweep(int base) {
  const auto listing = list(base);
  while (const dirent* entry = listing == nullptr ? nullptr : next_entry(listing)) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    std::from_chars(name.data(), name.data() + name.size(), pid);
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) remove_folder(base, std::string(name));
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
  const auto base = TRY(open_base());
  sweep(base.get());
  return base_path();
}

Places light_places(const std::string& id) {
  const std::string folder = base_path() + "/" + id;
  return {folder + "/source", folder + "/work"};
}

Result<LightFolder> LightFolder::make(const Program& program) {
  LightFolder made;
  made.parent_ = TRY(open_base());
  sweep(made.parent_.get());
  made.name_ = program.id;
  const auto folder = TRY(make_folder(made.parent_.get(), program.id.c_str(), 0711));
  const auto source = TRY(make_folder(folder.get(), "source", 0700));
  made.work_ = TRY(make_folder(folder.get(), "work", 0700));
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

std::string LightFolder::path() const { return base_path() + "/" + name_; }

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
