// Covering paths with /dev/null or an empty directory, and making paths read-only.
#include "runtime/isolate/masks.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"
#include "runtime/kernel/path.h"

namespace langsbx::isolate {
namespace {

// A mount of it, to be attached once.
Result<UniqueFd> clone_null_device() {
  auto null = TRY(clone_mount(AT_FDCWD, "/dev/null", false, false));
  struct stat status {};
  if (::fstat(null.get(), &status) != 0) return system_error("fstat /dev/null");
  if (!S_ISCHR(status.st_mode) || status.st_rdev != makedev(1, 3)) {
    return make_error(ErrorKind::kUnsupported, "the host's /dev/null is not the null device");
  }
  return null;
}

// The container's procfs. Nobody but the kernel makes names in it, so that what is directly in it
// can be looked at and mounted upon by name, unless the mounts are seen by others. It becomes the
// working directory.
class Procfs {
 public:
  Procfs(const Rootfs& rootfs, Used& used) : rootfs_(rootfs), used_(used) {}

  // The name of `path` in the working directory; nullptr when it is not directly in a procfs.
  const char* name(const std::string& path) {
    constexpr std::string_view kTop = "/proc/";
    if (!rootfs_.hidden || !path.starts_with(kTop)) return nullptr;
    const char* name = path.c_str() + kTop.size();
    if (*name == '\0' || *name == '.' || std::strchr(name, '/') != nullptr) return nullptr;
    if (!tried_) enter();
    return entered_ ? name : nullptr;
  }

 private:
  void enter() {
    tried_ = true;
    auto found = open_in_root(rootfs_.root.get(), "/proc", O_PATH | O_DIRECTORY | O_NOFOLLOW);
    struct statfs status {};
    if (!found.ok() || ::fstatfs(found->get(), &status) != 0) return;
    entered_ = status.f_type == PROC_SUPER_MAGIC && ::fchdir(found->get()) == 0;
    used_.add(found.release_value());
  }

  const Rootfs& rootfs_;
  Used& used_;
  bool tried_ = false;
  bool entered_ = false;
};

// What is to be covered.
struct Target {
  std::string place;  // for mount(2)
  UniqueFd file;      // open on it, unless the place is a name in the working directory
  bool directory = false;
};

// Sources of masks, made when the first path needs them. One read-only tmpfs serves all
// directories: a superblock each would cost a grace period each when the container ends.
class Covers {
 public:
  explicit Covers(Used& used) : used_(used) {}
  Covers(const Covers&) = delete;
  Covers& operator=(const Covers&) = delete;
  ~Covers() {
    used_.add(std::move(null_));
    used_.add(std::move(empty_));
  }
  Result<void> cover(const Target& target) {
    if (target.directory) return cover_directory(target);
    if (!file_.empty()) return mount_bind(file_.c_str(), target.place.c_str());
    null_ = TRY(clone_null_device());
    return attach_first(null_.get(), target, file_);
  }

 private:
  static constexpr std::uint64_t kAttributes =
      MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;

  Result<void> cover_directory(const Target& target) {
    if (!folder_.empty()) return mount_bind(folder_.c_str(), target.place.c_str());
    if (!target.file.valid()) {
      folder_ = target.place;
      return mount_new("tmpfs", "none", folder_, kAttributes, "nr_blocks=1,nr_inodes=2");
    }
    // The descriptor stays with what is covered now: the mount needs one of its own.
    empty_ = TRY(make_empty());
    return attach_first(empty_.get(), target, folder_);
  }
  // The others are bound from `source`.
  static Result<void> attach_first(int mount, const Target& target, std::string& source) {
    if (target.file.valid()) {
      source = descriptor_path(mount);
      return attach_mount(mount, target.file.get());
    }
    source = target.place;
    return attach_mount(mount, AT_FDCWD, source.c_str());
  }
  static Result<UniqueFd> make_empty() {
    auto filesystem = TRY(FsContext::open("tmpfs"));
    TRY(filesystem.set_string("nr_blocks", "1"));
    TRY(filesystem.set_string("nr_inodes", "2"));
    TRY(filesystem.set_flag("ro"));
    TRY(filesystem.create());
    return filesystem.mount(kAttributes);
  }

  Used& used_;
  UniqueFd null_;
  UniqueFd empty_;
  // Where null device and tmpfs are found, for mount(2).
  std::string file_;
  std::string folder_;
};

// Absent paths, and paths that lead through a file, are not there to be protected.
bool is_missing(int reason) { return reason == ENOENT || reason == ENOTDIR; }

// Nothing where the path is missing. Asked, not tried: to take back a mount that can't stand there
// the kernel waits for a grace period.
Result<std::optional<Target>> find(const std::string& path, int root, Procfs& procfs) {
  struct stat status {};
  if (const char* name = procfs.name(path); name != nullptr) {
    if (::lstat(name, &status) != 0) {
      if (is_missing(errno)) return std::optional<Target>();
      return system_error("stat " + path);
    }
    if (!S_ISLNK(status.st_mode)) {
      return std::optional<Target>({name, {}, S_ISDIR(status.st_mode)});
    }
  }
  auto file = open_in_root(root, path, O_PATH);
  if (!file.ok()) {
    if (is_missing(file.error().errno_value)) return std::optional<Target>();
    return file.release_error();
  }
  if (::fstat(file->get(), &status) != 0) return system_error("fstat");
  return std::optional<Target>(
      {descriptor_path(file->get()), file.release_value(), S_ISDIR(status.st_mode)});
}

MountAttributes readonly_attributes() {
  MountAttributes attributes;
  attributes.set = MOUNT_ATTR_RDONLY;
  return attributes;
}

// What engines list; no kernel makes links of them.
constexpr std::string_view kNoLinks[] = {"asound", "bus", "fs", "irq", "sys", "sysrq-trigger"};

// False: not done that way. The first call would follow a link; the second does not, and would find
// no mount.
Result<bool> make_readonly_in_procfs(const std::string& path, Procfs& procfs) {
  const char* name = procfs.name(path);
  if (name == nullptr) return false;
  if (std::find(std::begin(kNoLinks), std::end(kNoLinks), name) == std::end(kNoLinks)) return false;
  auto bound = mount_bind(name, name, true);
  if (!bound.ok()) return is_missing(bound.error().errno_value);
  auto closed = set_mount_attributes(AT_FDCWD, readonly_attributes(), true, name);
  if (closed.ok()) return true;
  if (closed.error().errno_value == EINVAL) return false;
  return closed.release_error();
}

Result<void> make_readonly(const std::string& path, int root, Procfs& procfs, Used& used) {
  if (TRY(make_readonly_in_procfs(path, procfs))) return {};
  auto target = open_in_root(root, path, O_PATH);
  if (!target.ok()) {
    if (is_missing(target.error().errno_value)) return {};
    return target.release_error();
  }
  auto mount = TRY(clone_mount(target->get(), "", true));
  TRY(set_mount_attributes(mount.get(), readonly_attributes(), true));
  TRY(attach_mount(mount.get(), target->get()));
  used.add(target.release_value());
  used.add(std::move(mount));
  return {};
}

}  // namespace

Result<void> apply_masks(const std::vector<std::string>& masked,
                         const std::vector<std::string>& readonly, const Rootfs& rootfs,
                         Used& used) {
  const int root = rootfs.root.get();
  Procfs procfs(rootfs, used);
  for (const auto& path : readonly) {
    TRY_CONTEXT(make_readonly(path, root, procfs, used), "linux.readonlyPaths " + path);
  }
  Covers covers(used);
  for (const auto& path : masked) {
    auto target = TRY_CONTEXT(find(path, root, procfs), "linux.maskedPaths " + path);
    if (!target) continue;
    TRY_CONTEXT(covers.cover(*target), "linux.maskedPaths " + path);
    used.add(std::move(target->file));
  }
  return {};
}

}  // namespace langsbx::isolate
