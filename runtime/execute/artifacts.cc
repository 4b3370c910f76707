// Reading what is left of a run.
#include "runtime/execute/artifacts.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "runtime/execute/sparse_copy.h"
#include "runtime/execute/toolchain.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kBytesPerFile = 4096;
constexpr std::uint64_t kFilesAtLeast = 16;
constexpr mode_t kModes = 0755;

bool matches(const std::vector<std::string>& patterns, const char* name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), name, FNM_PERIOD) == 0;
  });
}

// Lists, and says what it leaves out.
class Lister {
 public:
  Lister(const Bounds& bounds, const Skip& skip) : bounds_(bounds), skip_(skip) {}

  template <typename Visit>
  void each_entry(int directory, const std::string& path, const Visit& visit) {
    auto list = open_at(directory, ".", O_RDONLY | O_DIRECTORY);
    std::unique_ptr<DIR, int (*)(DIR*)> entries(list.ok() ? ::fdopendir(list->get()) : nullptr,
                                                &::closedir);
    if (entries == nullptr) {
      made_.left_out.add(path, "cannot be listed: " + errno_text(errno));
      return;
    }
    static_cast<void>(list->release());
    while (const dirent* entry = ::readdir(entries.get())) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") visit(entry->d_name);
    }
  }

  // A regular file and nothing that a name may lead to: no link, no device, no pipe.
  void add_file(int directory, const char* name, const std::string& path) {
    if (skip_ && skip_(path)) return;
    struct stat status {};
    if (::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (!S_ISREG(status.st_mode)) return;
    if (const auto file = open_left(directory, name); !file.ok()) {
      made_.left_out.add(path, "cannot be read: " + errno_text(file.error().errno_value));
    } else if (made_.files.size() == bounds_.files) {
      made_.left_out.add(path, "more than " + std::to_string(bounds_.files) + " files, see --disk");
    } else {
      made_.files.push_back(
          {path, static_cast<std::uint64_t>(status.st_size), status.st_mode & kModes});
    }
  }

  void add_all(int directory, const std::string& above, int depth) {
    constexpr int kDeepest = 32;
    each_entry(directory, above, [&](const char* name) {
      const std::string path = above.empty() ? name : above + "/" + name;
      struct stat status {};
      if (::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
      if (!S_ISDIR(status.st_mode)) return add_file(directory, name, path);
      if (depth == kDeepest) return made_.left_out.add(path, "nested too deep");
      const auto below = open_at(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (below.ok()) return add_all(below->get(), path, depth + 1);
      made_.left_out.add(path, "cannot be listed: " + errno_text(below.error().errno_value));
    });
  }

  // Smaller ones may still fit where a large one did not.
  Listed finish() {
    auto& files = made_.files;
    std::sort(files.begin(), files.end(),
              [](const Artifact& left, const Artifact& right) { return left.name < right.name; });
    std::uint64_t bytes = 0;
    std::erase_if(files, [&](const Artifact& file) {
      if (file.size <= bounds_.bytes - bytes) {
        bytes += file.size;
        return false;
      }
      made_.left_out.add(file.name, std::to_string(file.size) + " bytes: together more than " +
                                        std::to_string(bounds_.bytes) + ", see --disk");
      return true;
    });
    return std::move(made_);
  }

 private:
  Bounds bounds_;
  const Skip& skip_;
  Listed made_;
};

Result<void> make_folders(int root, const std::string& name, std::optional<Owner> owner) {
  for (auto slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
    const std::string path = name.substr(0, slash);
    const auto place = TRY(open_parent_in_root(root, path));
    const int parent = place.parent.get();
    if (::mkdirat(parent, place.name.c_str(), 0755) != 0) {
      if (errno == EEXIST) continue;
      return system_error("mkdir " + path);
    }
    if (owner &&
        ::fchownat(parent, place.name.c_str(), owner->uid, owner->gid, AT_SYMLINK_NOFOLLOW) != 0) {
      return system_error("chown " + path);
    }
  }
  return {};
}

}  // namespace

void LeftOut::add(std::string name, std::string reason) {
  constexpr std::size_t kNamed = 20;
  ++count;
  if (files.size() < kNamed) files.push_back({std::move(name), std::move(reason)});
}

void LeftOut::add(LeftOut more) {
  const auto unnamed = more.count - more.files.size();
  for (auto& file : more.files) add(std::move(file.name), std::move(file.reason));
  count += unnamed;
}

DiskUse disk_use(int directory) {
  struct statfs status {};
  if (directory < 0 || ::fstatfs(directory, &status) != 0) return {};
  return {(status.f_blocks - status.f_bfree) * static_cast<std::uint64_t>(status.f_bsize),
          status.f_bfree == 0 || (status.f_files > 0 && status.f_ffree == 0)};
}

Bounds bounds_of_disk(std::uint64_t disk) { return {disk, disk / kBytesPerFile + kFilesAtLeast}; }

Listed list_matching(int directory, const std::vector<std::string>& patterns, const Bounds& bounds,
                     const Skip& skip) {
  Lister lister(bounds, skip);
  if (patterns.empty()) return lister.finish();
  lister.each_entry(directory, ".", [&](const char* name) {
    if (matches(patterns, name)) lister.add_file(directory, name, name);
  });
  return lister.finish();
}

Listed list_all(int directory, const Bounds& bounds, const Skip& skip) {
  Lister lister(bounds, skip);
  lister.add_all(directory, "", 0);
  return lister.finish();
}

Result<UniqueFd> open_left(int directory, const std::string& name) {
  auto file = TRY(open_beneath(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return system_error("fstat " + name);
  if (!S_ISREG(status.st_mode)) return system_error("open " + name, EINVAL);
  return file;
}

Result<std::string> read_left(int directory, const std::string& name, std::size_t limit) {
  const auto file = open_left(directory, name);
  if (!file.ok() && file.error().errno_value == ENOENT) return std::string();
  if (!file.ok()) return file.error();
  return read_fd(file->get(), limit, name);
}

Result<void> copy_one(int from, const Artifact& file, int to, const std::string& name,
                      std::optional<Owner> owner) {
  const auto source = TRY(open_left(from, file.name));
  // The mode as far as our umask goes, like that of any file the caller makes.
  const auto made =
      TRY(open_at(to, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, file.mode));
  TRY_CONTEXT(copy_with_holes(source.get(), made.get(), file.size), name);
  if (!owner) return {};
  if (::fchown(made.get(), owner->uid, owner->gid) != 0) return system_error("chown " + name);
  if (::fchmod(made.get(), file.mode) != 0) return system_error("chmod " + name);
  return {};
}

Result<void> copy_left(int from, const std::vector<Artifact>& files, int to,
                       std::optional<Owner> owner) {
  for (const auto& file : files) {
    TRY(make_folders(to, file.name, owner));
    const auto place = TRY(open_parent_in_root(to, file.name));
    TRY_CONTEXT(copy_one(from, file, place.parent.get(), place.name, owner), file.name);
  }
  return {};
}

}  // namespace langsbx::execute
