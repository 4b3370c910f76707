// Attaching, finishing and entering the root file system.
#include "runtime/isolate/rootfs.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runtime/isolate/devices.h"
#include "runtime/isolate/late_sources.h"
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

// While the root is put together. "slave" and "private" name the root alone: mounts on and below
// the host's other shared ones would reach the host and stay there. An unbindable root could not be
// cloned. The root gets its own value after it is entered.
std::uint64_t propagation_meanwhile(std::uint64_t wanted) {
  const bool holds = is_shared(wanted) || wanted == (kMsPrivate | kMsRec);
  return holds ? wanted : kMsSlave | kMsRec;
}

// The old root is mounted over the new one, whose path "." and "/" are now. Where mounts are shared
// it is named by a descriptor: made a slave, so that unmounting it does not reach the host, while
// the container's own mounts stay shared.
Result<void> detach_old_root(int old_root, int new_root) {
  if (old_root >= 0) {
    if (::fchdir(old_root) != 0) return system_error("fchdir to the old root");
    TRY(set_propagation(".", kMsSlave | kMsRec));
  }
  if (::umount2(".", kMntDetach) != 0) return system_error("detach the old root");
  if (old_root >= 0 && ::fchdir(new_root) != 0) return system_error("fchdir to the root");
  return {};
}

}  // namespace

Result<Rootfs> prepare_rootfs(const plan::RootfsPlan& plan, MountContext context, Used& used) {
  context.rootfs = &plan;
  const std::uint64_t propagation = propagation_meanwhile(plan.propagation);
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
    const std::string what = "error mounting " + step.field + " (" + step.destination + ")";
    if (!step.covers_root()) {
      TRY_CONTEXT(apply_mount(step, places, context), what);
      continue;
    }
    auto over = TRY_CONTEXT(cover_root(step, places, context), what);
    places.cover(over.get());
    used.add(std::exchange(rootfs.root, std::move(over)));
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
  UniqueFd old_root;
  if (is_shared(plan.propagation)) old_root = TRY(open_file("/", O_PATH | O_DIRECTORY));
  if (::fchdir(rootfs.root.get()) != 0) return system_error("fchdir to the root");
  if (plan.no_pivot) {
    if (::syscall(SYS_move_mount, rootfs.root.get(), "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) !=
        0) {
      return system_error("move the root to /");
    }
    if (::chroot(".") != 0) return system_error("chroot");
  } else {
    if (::syscall(SYS_pivot_root, ".", ".") != 0) return system_error("pivot_root");
    TRY(detach_old_root(old_root.get(), rootfs.root.get()));
  }
  // The working directory is the new root.
  if (plan.propagation != 0)
    TRY(set_propagation("/", static_cast<unsigned long>(plan.propagation)));
  return {};
}

namespace {

// A namespace with the mount's own maps, or the one that is joined.
Result<UniqueFd> open_mapping_namespace(const plan::MountStep& step,
                                        const plan::NamespacePlan& namespaces) {
  if (!step.uid_map.empty() || !step.gid_map.empty()) {
    return make_mapping_namespace(step.uid_map, step.gid_map);
  }
  UniqueFd copy(::fcntl(namespaces.joined(oci::NamespaceType::kUser), F_DUPFD_CLOEXEC, 0));
  if (!copy) return system_error("duplicate the user namespace");
  return copy;
}

// What an earlier mount of this config may show or cover: init opens it when its turn comes.
bool waits_for_mounts(const plan::MountStep& step, std::size_t index) {
  return index > 0 && !step.source_inside.empty();
}

Result<void> open_host_source(plan::MountStep& step, bool user_namespace) {
  const bool mapped = step.options.idmap != plan::IdMap::kNone;
  if (!step.options.bind || step.options.remount || !(user_namespace || mapped)) return {};
  auto opened =
      clone_host_source(step, !step.options.source_nofollow && !step.options.copy_symlink);
  if (!opened.ok()) {
    // Without rights on the host the child's own view is the only one there is.
    if (opened.error().errno_value == EPERM && !mapped) return {};
    return opened.release_error().with_context(step.field + ".source");
  }
  step.opened_source = opened.release_value();
  if (mapped) TRY_CONTEXT(apply_idmap(step, step.opened_source.get()), step.field);
  return {};
}

}  // namespace

Result<ChildProcess> open_host_sources(plan::RootfsPlan& plan,
                                       const plan::NamespacePlan& namespaces, int scratch) {
  const bool user_namespace = namespaces.new_user || namespaces.join_user;
  bool late = false;
  for (std::size_t i = 0; i < plan.mounts.size(); ++i) {
    auto& step = plan.mounts[i];
    if (step.options.idmap != plan::IdMap::kNone) {
      step.idmap_namespace = TRY_CONTEXT(open_mapping_namespace(step, namespaces), step.field);
    }
    if (!waits_for_mounts(step, i)) {
      TRY(open_host_source(step, user_namespace));
    } else {
      late = late || step.idmap_namespace.valid();
    }
  }
  ChildProcess helper;
  if (!user_namespace) return helper;
  if (late) {
    auto offered = TRY(offer_late_sources(plan));
    plan.late_sources = std::move(offered.asks);
    helper = std::move(offered.helper);
  }
  for (auto& device : plan.devices) {
    if (S_ISFIFO(device.mode)) continue;
    auto opened = open_device(device, scratch);
    if (opened.ok()) device.opened_source = opened.release_value();
  }
  return helper;
}

void close_copied_sources(const plan::RootfsPlan& plan) {
  std::vector<UniqueFd> copies;
  if (plan.late_sources.valid()) copies.emplace_back(plan.late_sources.get());
  for (const auto& step : plan.mounts) {
    for (const int file : {step.opened_source.get(), step.idmap_namespace.get()}) {
      if (file >= 0) copies.emplace_back(file);
    }
  }
  for (const auto& device : plan.devices) {
    if (device.opened_source.valid()) copies.emplace_back(device.opened_source.get());
  }
  close_together(copies);
}

void close_host_sources(plan::RootfsPlan& plan) {
  std::vector<UniqueFd> files;
  if (plan.late_sources.valid()) files.push_back(std::move(plan.late_sources));
  for (auto& step : plan.mounts) {
    if (step.opened_source.valid()) files.push_back(std::move(step.opened_source));
    if (step.idmap_namespace.valid()) files.push_back(std::move(step.idmap_namespace));
  }
  for (auto& device : plan.devices) {
    if (device.opened_source.valid()) files.push_back(std::move(device.opened_source));
  }
  close_together(files);
}

}  // namespace langsbx::isolate
