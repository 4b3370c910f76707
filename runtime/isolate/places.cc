// Directories below the container's root, found or made.
#include "runtime/isolate/places.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::isolate {
namespace {

constexpr int kDirectory = O_PATH | O_DIRECTORY | O_NOFOLLOW;
constexpr mode_t kMode = 0755;

bool is_at_or_below(std::string_view path, std::string_view top) {
  return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '/');
}

}  // namespace

Result<UniqueFd> Places::real_directory(const std::string& path) const {
  auto place = open_in_root(root_, path, kDirectory);
  if (!place.ok() && place.error().errno_value == ENOENT) {
    TRY(make_directories_in_root(root_, path));
    place = open_in_root(root_, path, kDirectory);
  }
  if (!place.ok()) {
    return make_error(ErrorKind::kInvalidInput,
                      "the root file system's " + path +
                          " must be mounted on ordinary directory, it is none or a symlink");
  }
  return place;
}

Places::Found Places::in_fresh(std::string_view path) {
  const auto slash = path.rfind('/');
  if (fresh_path_.empty() || path.substr(0, slash) != fresh_path_) return {};
  if (!fresh_.valid()) {
    auto opened = open_in_root(root_, fresh_path_, kDirectory);
    if (!opened.ok()) return {};
    fresh_ = opened.release_value();
  }
  return {fresh_.get(), std::string(path.substr(slash + 1))};
}

Result<UniqueFd> Places::directory(const std::string& path) {
  if (path == "/proc" || path == "/sys") return real_directory(path);
  const auto found = in_fresh(path);
  if (found.parent < 0) return make_directories_in_root(root_, path);
  if (::mkdirat(found.parent, found.name.c_str(), kMode) != 0 && errno != EEXIST) {
    return system_error("mkdir " + path);
  }
  auto made = open_at(found.parent, found.name.c_str(), kDirectory);
  // A link that we made ourselves (/dev/fd).
  if (!made.ok()) return make_directories_in_root(root_, path);
  return made;
}

void Places::mounted(const std::string& path, bool fresh) {
  // /dev stays the remembered one when /dev/shm comes.
  const bool inside =
      !fresh_path_.empty() && path != fresh_path_ && is_at_or_below(path, fresh_path_);
  if (fresh && !inside) {
    fresh_path_ = path;
    fresh_.reset();
  } else if (!fresh_path_.empty() && is_at_or_below(fresh_path_, path)) {
    fresh_path_.clear();
    fresh_.reset();
  }
}

}  // namespace langsbx::isolate
