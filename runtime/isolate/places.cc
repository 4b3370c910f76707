// Directories below the container's root, found or made.
#include "runtime/isolate/places.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cerrno>

#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"
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

Result<UniqueFd> Places::outside_proc(Result<UniqueFd> place, const std::string& path) {
  if (!place.ok() || path.starts_with("/proc/")) return place;
  struct statfs facts {};
  if (::fstatfs(place->get(), &facts) != 0) return system_error("statfs " + path);
  if (facts.f_type != PROC_SUPER_MAGIC) return place;
  return make_error(ErrorKind::kInvalidInput,
                    "\"" + path + "\" cannot be mounted because a link leads it inside /proc");
}

int Places::fresh(std::string_view path) {
  for (auto& known : fresh_) {
    if (known.path != path) continue;
    if (!known.directory.valid()) {
      auto opened = open_in_root(root_, path, kDirectory);
      if (opened.ok()) known.directory = opened.release_value();
    }
    return known.directory.get();
  }
  return -1;
}

Places::Found Places::in_fresh(std::string_view path) {
  if (fresh_.empty()) return {};
  const auto slash = path.rfind('/');
  const int parent = fresh(path.substr(0, slash));
  if (parent < 0) return {};
  return {parent, std::string(path.substr(slash + 1))};
}

Result<UniqueFd> Places::directory(const std::string& path) {
  if (path == "/proc" || path == "/sys") return real_directory(path);
  const auto found = in_fresh(path);
  if (found.parent < 0) return outside_proc(make_directories_in_root(root_, path), path);
  if (::mkdirat(found.parent, found.name.c_str(), kMode) != 0 && errno != EEXIST) {
    return system_error("mkdir " + path);
  }
  auto made = open_at(found.parent, found.name.c_str(), kDirectory);
  // A link that we made ourselves (/dev/fd).
  if (!made.ok()) return outside_proc(make_directories_in_root(root_, path), path);
  return made;
}

Places::Found Places::make_in_fresh(const std::string& path) {
  auto found = in_fresh(path);
  if (found.parent < 0 || ::mkdirat(found.parent, found.name.c_str(), kMode) != 0) return {};
  return found;
}

bool Places::enter(int directory) {
  if (!moves_ || ::fchdir(directory) != 0) return false;
  entered_ = directory;
  return true;
}

Result<std::string> Places::mount_point(const std::string& path) {
  if (hidden_) {
    const auto made = make_in_fresh(path);
    if (made.parent >= 0) {
      if (made.parent == entered_ || enter(made.parent)) return made.name;
      return descriptor_path(made.parent) + '/' + made.name;
    }
  }
  auto place = TRY(directory(path));
  auto text = enter(place.get()) ? std::string(".") : descriptor_path(place.get());
  entered_ = -1;
  used_.add(std::move(place));
  return text;
}

Result<void> Places::attach(int mount, const std::string& path, bool directory) {
  // A name needs no descriptor: move_mount follows no link, and puts no directory over one.
  if (directory) {
    const auto made = make_in_fresh(path);
    if (made.parent >= 0) return attach_mount(mount, made.parent, made.name.c_str());
    const bool in_root = path.rfind('/') == 0 && path.size() > 1 && path[1] != '.';
    if (in_root && attach_mount(mount, root_, path.c_str() + 1).ok()) return {};
  }
  auto place = TRY(this->directory(path));
  TRY(attach_mount(mount, place.get()));
  used_.add(std::move(place));
  return {};
}

void Places::mounted(const std::string& path, bool fresh) {
  for (auto& known : fresh_) {
    if (!is_at_or_below(known.path, path)) continue;
    entered_ = -1;
    used_.add(std::move(known.directory));
  }
  std::erase_if(fresh_, [&](const Fresh& known) { return is_at_or_below(known.path, path); });
  if (fresh) fresh_.push_back({path, UniqueFd()});
}

void Places::cover(int root) {
  for (auto& known : fresh_) used_.add(std::move(known.directory));
  fresh_.clear();
  entered_ = -1;
  root_ = root;
}

Places::~Places() {
  for (auto& known : fresh_) used_.add(std::move(known.directory));
}

}  // namespace langsbx::isolate
