// Attaching, finishing and entering the root file system.
#include "runtime/isolate/rootfs.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runtime/isolate/devices.h"
#include "runtime/isolate/late_sources.h"
#include "runtime/isolate/masks.h"
#include "runtime/isolate/mounts.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"
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

Result<UniqueFd> make_folder(int parent, const char* name) {
  if (::mkdirat(parent, name, 0700) != 0) return system_error("mkdir");
  return open_at(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

Result<UniqueFd> make_and_write(const plan::FileStep& file, int parent, const char* name) {
  auto made = TRY(open_at(parent, name, O_WRONLY | O_CREAT | O_EXCL, 0600));
  TRY(write_fd(made.get(), file.content, file.path));
  return made;
}

Result<void> make_file(const plan::FileStep& file, int root) {
  const auto place = TRY(open_parent_in_root(root, file.path));
  const int parent = place.parent.get();
  const char* name = place.name.c_str();
  if (file.link) {
    if (::symlinkat(file.content.c_str(), parent, name) != 0) return system_error("symlink");
    return {};
  }
  const auto made =
      TRY(file.folder ? make_folder(parent, name) : make_and_write(file, parent, name));
  if (file.uid != 0 && ::fchown(made.get(), file.uid, file.uid) != 0) return system_error("chown");
  if (::fchmod(made.get(), file.mode) != 0) return system_error("chmod");
  return {};
}

Result<void> mount_on_itself(const std::string& path, bool readonly, int root) {
  const auto target = TRY(open_in_root(root, path, O_PATH | O_NOFOLLOW));
  const auto mount = TRY(clone_mount(target.get(), "", false));
  MountAttributes attributes;
  attributes.set = MOUNT_ATTR_RDONLY;
  if (readonly) TRY(set_mount_attributes(mount.get(), attributes, false));
  return attach_mount(mount.get(), target.get());
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

Result<Rootfs> prepare_rootfs(const Isolated& isolated, const MountContext& context, Used& used) {
  const auto& plan = isolated.plan().rootfs;
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
  rootfs.hidden =
      isolated.plan().namespaces.makes(oci::NamespaceType::kMount) && !is_shared(propagation);
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
  TRY(make_devices(plan, *context.sources, places, context.user_namespace));
  for (const auto& file : plan.files) {
    TRY_CONTEXT(make_file(file, rootfs.root.get()), "make " + file.path);
  }
  for (const auto& folder : plan.fixed_folders) {
    TRY_CONTEXT(mount_on_itself(folder, false, rootfs.root.get()), "fix " + folder);
  }
  for (const auto& file : plan.fixed_files) {
    TRY_CONTEXT(mount_on_itself(file, true, rootfs.root.get()), "fix " + file);
  }
  return rootfs;
}

Result<void> finish_rootfs(const Isolated& isolated, const Rootfs& rootfs, Used& used) {
  const auto& plan = isolated.plan().rootfs;
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

Result<Rooted> enter_rootfs(Isolated isolated, Rootfs rootfs) {
  const auto& plan = isolated.plan().rootfs;
  UniqueFd old_root;
  if (is_shared(plan.propagation)) old_root = TRY(open_file("/", O_PATH | O_DIRECTORY));
  if (::fchdir(rootfs.root.get()) != 0) return system_error("fchdir to the root");
  if (plan.no_pivot) {
    TRY_CONTEXT(attach_mount(rootfs.root.get(), AT_FDCWD, "/"), "move the root to /");
    if (::chroot(".") != 0) return system_error("chroot");
  } else {
    TRY(pivot_to_working_directory());
    TRY(detach_old_root(old_root.get(), rootfs.root.get()));
  }
  // The working directory is the new root.
  if (plan.propagation != 0)
    TRY(set_propagation("/", static_cast<unsigned long>(plan.propagation)));
  return Rooted(isolated.plan().program, std::move(rootfs.root));
}

}  // namespace langsbx::isolate
