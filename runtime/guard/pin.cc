// Pinning by bind mounts from a small tmpfs.
#include "runtime/guard/pin.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"
#include "runtime/kernel/path.h"

namespace langsbx::guard {
namespace {

constexpr std::uint64_t kReadOnly = 0x1;   // MOUNT_ATTR_RDONLY
constexpr std::uint64_t kNoSetuid = 0x2;   // MOUNT_ATTR_NOSUID
constexpr std::uint64_t kNoDevices = 0x4;  // MOUNT_ATTR_NODEV

class Pinning {
 public:
  Pinning(UniqueFd root, UniqueFd copies, std::size_t most)
      : root_(std::move(root)), copies_(std::move(copies)), most_(most) {}

  Result<void> pin(const std::string& path) {
    auto opened = open_in_root(root_.get(), path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (!opened.ok()) {
      const int reason = opened.error().errno_value;
      if (reason == ENOENT || reason == ENOTDIR) return {};
      return opened.release_error().with_context(path);
    }
    struct stat facts {};
    if (::fstat(opened->get(), &facts) != 0) return system_error("fstat " + path);
    // The judge refuses what is no regular file.
    if (!S_ISREG(facts.st_mode)) return {};
    const std::string name = std::to_string(next_++);
    TRY_CONTEXT(copy(opened->get(), facts, path, name), path);
    const auto mount = TRY(clone_mount(copies_.get(), name, false));
    TRY(set_mount_attributes(mount.get(), {kReadOnly | kNoSetuid | kNoDevices, 0, 0, -1}, false));
    return attach_mount(mount.get(), opened->get());
  }

 private:
  Result<void> copy(int from, const struct stat& facts, const std::string& path,
                    const std::string& name) {
    const std::string bytes = TRY(read_fd(from, most_, path));
    const auto to = TRY(open_at(copies_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600));
    TRY(write_fd(to.get(), bytes, path));
    if (::fchown(to.get(), facts.st_uid, facts.st_gid) != 0) return system_error("fchown");
    if (::fchmod(to.get(), facts.st_mode & 0555) != 0) return system_error("fchmod");
    return {};
  }

  UniqueFd root_;
  UniqueFd copies_;
  std::size_t most_;
  std::size_t next_ = 0;
};

Result<UniqueFd> make_file_system() {
  auto context = TRY(FsContext::open("tmpfs"));
  TRY(context.set_string("mode", "0700"));
  TRY(context.create());
  return context.mount(kNoSetuid | kNoDevices);
}

}  // namespace

Result<dev_t> pin_files(const std::vector<std::string>& paths, const std::string& cwd,
                        std::size_t most_bytes) {
  // Nobody else's view changes, and nothing mounted elsewhere comes in.
  if (::unshare(CLONE_NEWNS) != 0) return system_error("unshare the mount namespace");
  TRY(set_propagation("/", MS_REC | MS_PRIVATE));
  auto root = TRY(open_file("/", O_PATH | O_DIRECTORY));
  auto copies = TRY(make_file_system());
  // Clones are made only of mounts that are attached. Over our own root it is in nobody's way:
  // paths start below what is stacked there.
  TRY(attach_mount(copies.get(), root.get()));
  struct stat facts {};
  if (::fstat(copies.get(), &facts) != 0) return system_error("fstat tmpfs");
  const int copies_fd = copies.get();
  Pinning pinning(std::move(root), std::move(copies), most_bytes);
  for (const std::string& path : paths) {
    TRY_CONTEXT(pinning.pin(path.starts_with('/') ? path : cwd + "/" + path), "pin");
  }
  if (::fchdir(copies_fd) != 0) return system_error("fchdir");
  if (::umount2(".", MNT_DETACH) != 0) return system_error("umount");
  if (::chdir("/") != 0) return system_error("chdir /");
  return facts.st_dev;
}

}  // namespace langsbx::guard
