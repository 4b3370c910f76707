// Deletes what is in a directory.
#include "runtime/state/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/file.h"

namespace langsbx::state {
namespace {

struct CloseDirectory {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

// One on the way down: what it is, and the names in it that are still to be removed.
struct Level {
  std::string name;
  dev_t device = 0;
  ino_t inode = 0;
  std::vector<std::string> directories;
};

Result<void> identify(int directory, Level& level) {
  struct stat status {};
  if (::fstat(directory, &status) != 0) return system_error("fstat " + level.name);
  level.device = status.st_dev;
  level.inode = status.st_ino;
  return {};
}

// Removes what is no directory, and lists the rest.
Result<void> empty(int directory, Level& level) {
  auto again = TRY(open_at(directory, ".", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(again.get()));
  if (!stream) return system_error("fdopendir");
  static_cast<void>(again.release());
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr && errno != 0) return system_error("readdir");
    if (entry == nullptr) return {};
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (::unlinkat(directory, name.c_str(), 0) == 0 || errno == ENOENT) continue;
    if (errno != EISDIR && errno != EPERM) return system_error("unlink " + name);
    level.directories.push_back(std::move(name));
  }
}

Result<UniqueFd> enter(int directory, const char* name, Level& level) {
  auto entered = TRY(open_at(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  TRY(identify(entered.get(), level));
  TRY(empty(entered.get(), level));
  return entered;
}

// By "..", which must be where we came from.
Result<UniqueFd> go_up(int directory, const Level& above) {
  auto parent = TRY(open_at(directory, "..", O_RDONLY | O_DIRECTORY));
  Level found;
  TRY(identify(parent.get(), found));
  if (found.device == above.device && found.inode == above.inode) return parent;
  return make_error(ErrorKind::kInternal, "a directory was moved while it was being removed");
}

}  // namespace

// However deep: whoever filled it may have made more levels than there are descriptors.
Result<void> remove_contents(int directory) {
  std::vector<Level> levels(1);
  auto current = TRY(enter(directory, ".", levels.back()));
  for (;;) {
    auto& left = levels.back().directories;
    if (!left.empty()) {
      Level below;
      below.name = std::move(left.back());
      left.pop_back();
      current = TRY(enter(current.get(), below.name.c_str(), below));
      levels.push_back(std::move(below));
      continue;
    }
    if (levels.size() == 1) return {};
    const std::string name = std::move(levels.back().name);
    levels.pop_back();
    current = TRY(go_up(current.get(), levels.back()));
    if (::unlinkat(current.get(), name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
      return system_error("rmdir " + name);
    }
  }
}

}  // namespace langsbx::state
