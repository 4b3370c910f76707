// Attaching, finishing and entering the root file system.
#include "runtime/isolate/rootfs.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/isolate/devices.h"
#include "runtime/isolate/masks.h"
#include "runtime/isolate/mounts.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

// <sys/mount.h> clashes with <linux/mount.h> in this C library.
extern "C" int umount2(const char*, int) noexcept;

namespace langsbx::isolate {
namespace {

constexpr unsigned long kMsRec = 1UL << 14U;
constexpr unsigned long kMsUnbindable = 1UL << 17U;
constexpr unsigned long kMsPrivate = 1UL << 18U;
constexpr unsigned long kMsSlave = 1UL << 19U;
constexpr unsigned long kMsShared = 1UL << 20U;
constexpr int kMntDetach = 2;

// pivot_root refuses a new root whose parent mount is shared, and a shared parent would carry our
// mounts to the host. The mount that holds the root is the nearest one going up.
Result<void> make_parent_private(std::string path) {
  for (;;) {
    if (set_propagation(path.c_str(), kMsPrivate).ok()) return {};
    if (errno != EINVAL) return system_error("make the mount that holds " + path + " private");
    if (path == "/") return {};
    const auto slash = path.rfind('/');
    path = slash == 0 ? "/" : path.substr(0, slash);
  }
}

Result<UniqueFd> make_memory_root() {
  auto filesystem = TRY(FsContext::open("tmpfs"));
  TRY(filesystem.set_string("mode", "755"));
  TRY(filesystem.create());
  return filesystem.mount(MOUNT_ATTR_NOSUID);
}

Result<void> make_file(const plan::FileStep& file, int root) {
  const auto place = TRY(open_parent_in_root(root, file.path));
  const char* name = place.name.c_str();
  if (file.link) {
    if (::symlinkat(file.content.c_str(), place.parent.get(), name) != 0) {
      return system_error("symlink");
    }
    return {};
  }
  const auto made = TRY(open_at(place.parent.get(), name, O_WRONLY | O_CREAT | O_EXCL, 0600));
  TRY(write_fd(made.get(), file.content, file.path));
  if (file.uid != 0 && ::fchown(made.get(), file.uid, file.uid) != 0) return system_error("chown");
  if (::fchmod(made.get(), file.mode) != 0) return system_error("chmod");
  return {};
}

// A node of our own, bound from `scratch` (a mount can't be attached once its root is unlinked, so
// it stays until that directory goes): the host may have none of that name, and its owner and mode
// are those of config.json. The directory's mount may be nodev.
Result<UniqueFd> make_own_device(const plan::DeviceStep& device, int scratch) {
  const std::string name = "device-" + std::to_string(device.number);
  const char* path = name.c_str();
  if (::mknodat(scratch, path, device.mode, device.number) != 0) return system_error("mknod");
  if (::fchmodat(scratch, path, device.mode & 07777U, 0) != 0) return system_error("chmod");
  if (::fchownat(scratch, path, device.uid, device.gid, 0) != 0) return system_error("chown");
  auto mount = TRY(clone_mount(scratch, name, false));
  MountAttributes attributes;
  attributes.clear = MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY;
  TRY(set_mount_attributes(mount.get(), attributes, false));
  return mount;
}

Result<UniqueFd> open_device(const plan::DeviceStep& device, int scratch) {
  struct stat status {};
  const bool same = ::stat(device.path.c_str(), &status) == 0 &&
                    (status.st_mode & S_IFMT) == (device.mode & S_IFMT) &&
                    status.st_rdev == device.number;
  if (!same && scratch >= 0) return make_own_device(device, scratch);
  return clone_mount(AT_FDCWD, device.path, false);
}

Result<void> attach_root(int root, const std::string& path) {
  // With the slash: links are followed, and it must be a directory.
  if (attach_mount(root, AT_FDCWD, (path + '/').c_str()).ok()) return {};
  const auto place = TRY(open_file(path, O_PATH | O_DIRECTORY));
  TRY_CONTEXT(attach_mount(root, place.get()), "root.path");
  return {};
}

bool is_shared(std::uint64_t propagation) { return (propagation & kMsShared) != 0; }

}  // namespace

Result<Rootfs> prepare_rootfs(const plan::RootfsPlan& plan, const MountContext& context,
                              Used& used) {
  // An unbindable root could not be cloned: it becomes so after it is entered.
  const bool as_slave = plan.propagation == 0 || (plan.propagation & kMsUnbindable) != 0;
  const std::uint64_t propagation = as_slave ? (kMsSlave | kMsRec) : plan.propagation;
  TRY(set_propagation("/", static_cast<unsigned long>(propagation)));
  if (is_shared(propagation)) TRY(make_parent_private(plan.path));
  Rootfs rootfs;
  if (plan.in_memory) {
    rootfs.root = TRY_CONTEXT(make_memory_root(), "root");
  } else {
    rootfs.root = TRY_CONTEXT(clone_mount(AT_FDCWD, plan.path, true), "root.path");
  }
  TRY(attach_root(rootfs.root.get(), plan.path));
  rootfs.hidden = context.namespaces->makes(oci::NamespaceType::kMount) && !is_shared(propagation);
  Places places(rootfs.root.get(), rootfs.hidden, !context.stays, used);
  for (const auto& step : plan.mounts) {
    used.settle();
    TRY_CONTEXT(apply_mount(step, places, context), step.field + " (" + step.destination + ")");
  }
  TRY(make_devices(plan, places, context.user_namespace));
  for (const auto& file : plan.files) {
    TRY_CONTEXT(make_file(file, rootfs.root.get()), "make " + file.path);
  }
  return rootfs;
}

Result<void> finish_rootfs(const plan::RootfsPlan& plan, const Rootfs& rootfs, Used& used) {
  TRY(apply_masks(plan.masked_paths, plan.readonly_paths, rootfs, used));
  TRY(finish_readonly_mounts(plan.mounts, rootfs.root.get()));
  if (plan.readonly) {
    MountAttributes attributes;
    attributes.set = MOUNT_ATTR_RDONLY;
    TRY_CONTEXT(set_mount_attributes(rootfs.root.get(), attributes, false), "root.readonly");
  }
  used.close();
  return {};
}

Result<void> enter_rootfs(const plan::RootfsPlan& plan, const Rootfs& rootfs) {
  if (::fchdir(rootfs.root.get()) != 0) return system_error("fchdir to the root");
  if (plan.no_pivot) {
    if (::syscall(SYS_move_mount, rootfs.root.get(), "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) !=
        0) {
      return system_error("move the root to /");
    }
    if (::chroot(".") != 0) return system_error("chroot");
  } else {
    if (::syscall(SYS_pivot_root, ".", ".") != 0) return system_error("pivot_root");
    // The old root is now mounted over ".". As a slave, its unmounting does not reach the host.
    if (plan.propagation != 0) TRY(set_propagation(".", kMsSlave | kMsRec));
    if (::umount2(".", kMntDetach) != 0) return system_error("detach the old root");
  }
  // The working directory is the new root since fchdir.
  if (plan.propagation != 0)
    TRY(set_propagation("/", static_cast<unsigned long>(plan.propagation)));
  return {};
}

Result<void> open_host_sources(plan::RootfsPlan& plan, bool user_namespace, int scratch) {
  for (auto& step : plan.mounts) {
    if (step.options.idmap != plan::IdMap::kNone) {
      step.idmap_namespace =
          TRY_CONTEXT(make_mapping_namespace(step.uid_map, step.gid_map), step.field);
    }
    const bool privileged_source =
        step.options.bind && (user_namespace || step.options.idmap != plan::IdMap::kNone);
    if (!privileged_source || step.options.remount) continue;
    auto opened = clone_mount(AT_FDCWD, step.source, step.options.recursive_bind,
                              !step.options.source_nofollow && !step.options.copy_symlink);
    if (!opened.ok()) {
      // Without rights on the host the child's own view is the only one there is.
      if (opened.error().errno_value == EPERM && step.options.idmap == plan::IdMap::kNone) continue;
      return opened.release_error().with_context(step.field + ".source");
    }
    step.opened_source = opened.release_value();
    if (step.idmap_namespace.valid()) TRY_CONTEXT(apply_idmap(step), step.field);
  }
  if (!user_namespace) return {};
  for (auto& device : plan.devices) {
    if (S_ISFIFO(device.mode)) continue;
    auto opened = open_device(device, scratch);
    if (opened.ok()) device.opened_source = opened.release_value();
  }
  return {};
}

}  // namespace langsbx::isolate
