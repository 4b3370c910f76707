// Covering paths with /dev/null or an empty directory, and making paths read-only.
#include "runtime/isolate/masks.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"
#include "runtime/kernel/path.h"
#include "runtime/kernel/process.h"

namespace langsbx::isolate {
namespace {

Result<UniqueFd> open_null_device() {
  auto null = TRY(open_file("/dev/null", O_PATH | O_NOFOLLOW));
  struct stat status {};
  if (::fstat(null.get(), &status) != 0) return system_error("fstat /dev/null");
  if (!S_ISCHR(status.st_mode) || status.st_rdev != makedev(1, 3)) {
    return make_error(ErrorKind::kUnsupported, "the host's /dev/null is not the null device");
  }
  return null;
}

// Descriptors that nobody needs any more, closed many at a time.
class Used {
 public:
  ~Used() { close_together(files_); }
  void add(UniqueFd file) {
    if (!file.valid()) return;
    constexpr std::size_t kMost = 32;
    if (files_.size() == kMost) close_together(files_);
    files_.push_back(std::move(file));
  }

 private:
  std::vector<UniqueFd> files_;
};

// Sources of masks, made when the first path needs them. One read-only tmpfs serves all
// directories: a superblock each would cost a grace period each when the container ends.
class Covers {
 public:
  explicit Covers(Used& used) : used_(used) {}
  ~Covers() {
    used_.add(std::move(null_));
    used_.add(std::move(empty_));
  }
  Result<void> cover_file(int target) {
    if (!null_.valid()) null_ = TRY(open_null_device());
    return mount_bind(null_.get(), target);
  }
  Result<void> cover_directory(int target) {
    if (empty_.valid()) {
      auto cover = TRY(clone_mount(empty_.get(), "", false));
      TRY(attach_mount(cover.get(), target));
      used_.add(std::move(cover));
      return {};
    }
    // Attached, the mount can be cloned from where it stands.
    empty_ = TRY(make_empty());
    return attach_mount(empty_.get(), target);
  }

 private:
  static Result<UniqueFd> make_empty() {
    auto filesystem = TRY(FsContext::open("tmpfs"));
    TRY(filesystem.set_string("nr_blocks", "1"));
    TRY(filesystem.set_string("nr_inodes", "2"));
    TRY(filesystem.set_flag("ro"));
    TRY(filesystem.create());
    return filesystem.mount(MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
                            MOUNT_ATTR_NOEXEC);
  }

  Used& used_;
  UniqueFd null_;
  UniqueFd empty_;
};

// Absent paths, and paths that lead through a file, are not there to be protected.
bool is_missing(const Error& error) {
  return error.errno_value == ENOENT || error.errno_value == ENOTDIR;
}

Result<void> mask(const std::string& path, int root, Covers& covers, Used& used) {
  auto target = open_in_root(root, path, O_PATH);
  if (!target.ok()) {
    if (is_missing(target.error())) return {};
    return target.release_error();
  }
  // Asked, not tried: to take back a mount that can't stand there the kernel waits for a grace
  // period.
  struct stat status {};
  if (::fstat(target->get(), &status) != 0) return system_error("fstat");
  TRY(S_ISDIR(status.st_mode) ? covers.cover_directory(target->get())
                              : covers.cover_file(target->get()));
  used.add(target.release_value());
  return {};
}

Result<void> make_readonly(const std::string& path, int root, Used& used) {
  auto target = open_in_root(root, path, O_PATH);
  if (!target.ok()) {
    if (is_missing(target.error())) return {};
    return target.release_error();
  }
  auto mount = TRY(clone_mount(target->get(), "", true));
  MountAttributes attributes;
  attributes.set = MOUNT_ATTR_RDONLY;
  TRY(set_mount_attributes(mount.get(), attributes, true));
  TRY(attach_mount(mount.get(), target->get()));
  used.add(target.release_value());
  used.add(std::move(mount));
  return {};
}

}  // namespace

Result<void> apply_masks(const std::vector<std::string>& masked,
                         const std::vector<std::string>& readonly, int root) {
  Used used;
  for (const auto& path : readonly) {
    TRY_CONTEXT(make_readonly(path, root, used), "linux.readonlyPaths " + path);
  }
  Covers covers(used);
  for (const auto& path : masked) {
    TRY_CONTEXT(mask(path, root, covers, used), "linux.maskedPaths " + path);
  }
  return {};
}

}  // namespace langsbx::isolate
