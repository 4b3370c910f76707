// Bind mounts, new file systems, remounts.
#include "runtime/isolate/mounts.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>

#include "runtime/isolate/bind_flags.h"
#include "runtime/isolate/cgroup_mounts.h"
#include "runtime/isolate/copy_up.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::isolate {
namespace {

constexpr std::uint64_t kMsRec = 1U << 14U;
constexpr std::uint64_t kMsPrivate = 1U << 18U;

bool is_empty(const MountAttributes& attributes) { return attributes == MountAttributes{}; }

// An empty file or directory, unless something is there. O_EXCL: what somebody else puts there in
// the meantime is not opened, it may be a pipe.
Result<void> make_mount_point(const ParentAndName& place, bool directory) {
  const int parent = place.parent.get();
  const char* name = place.name.c_str();
  if (directory) {
    if (::mkdirat(parent, name, 0755) == 0 || errno == EEXIST) return {};
    return system_error("mkdir " + place.name);
  }
  const auto made = open_at(parent, name, O_WRONLY | O_CREAT | O_EXCL, 0644);
  if (made.ok() || made.error().errno_value == EEXIST) return {};
  return made.error();
}

Result<bool> is_directory(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return system_error("fstat the source");
  return S_ISDIR(status.st_mode);
}

Result<void> set_propagations(int mount, const std::vector<std::uint64_t>& propagation) {
  for (const auto flags : propagation) {
    MountAttributes attributes;
    attributes.propagation = flags & ~kMsRec;
    TRY_CONTEXT(set_mount_attributes(mount, attributes, (flags & kMsRec) != 0), "propagation");
  }
  return {};
}

Result<void> set_attributes(int mount, const plan::MountOptions& options) {
  if (!is_empty(options.recursive)) {
    TRY_CONTEXT(set_mount_attributes(mount, options.recursive, true), "recursive options");
  }
  if (!is_empty(options.attributes)) {
    TRY_CONTEXT(set_mount_attributes(mount, options.attributes, false), "options");
  }
  return {};
}

// With dest-nofollow: on the symlink itself, when it is one.
Result<void> attach_on_link(int mount, Places& places, const std::string& path, bool directory) {
  const auto place = TRY(open_parent_in_root(places.root(), path));
  TRY(make_mount_point(place, directory));
  TRY(attach_mount(mount, place.parent.get(), place.name.c_str()));
  places.mounted(path, false);
  return {};
}

Result<void> attach(int mount, const plan::MountStep& step, Places& places, bool directory) {
  if (step.options.destination_nofollow) {
    return attach_on_link(mount, places, step.destination, directory);
  }
  return attach_at(mount, places, step.destination, directory);
}

// True when it was a symlink and has been copied. The frame is for those who need it.
[[gnu::noinline]] Result<bool> copy_symlink(const plan::MountStep& step, int root) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(step.source.c_str(), target, sizeof target - 1);
  if (length < 0) {
    if (errno == EINVAL) return false;
    return system_error("readlink " + step.source);
  }
  target[length] = '\0';
  const auto place = TRY(open_parent_in_root(root, step.destination));
  if (::symlinkat(target, place.parent.get(), place.name.c_str()) != 0 && errno != EEXIST) {
    return system_error("symlink " + step.destination);
  }
  return true;
}

}  // namespace

Result<UniqueFd> clone_host_source(const plan::MountStep& step, bool follow) {
  const bool recursive = step.options.recursive_bind;
  const std::string& folder = step.source_folder;
  if (folder.empty()) return clone_mount(AT_FDCWD, step.source, recursive, follow);
  const auto top = TRY(open_file(folder, O_PATH | O_DIRECTORY));
  const auto source =
      TRY(open_beneath(top.get(), std::string_view(step.source).substr(folder.size() + 1), O_PATH));
  return clone_mount(source.get(), "", recursive);
}

namespace {

// In a user namespace the way from the host's root may be closed to us; what lies in the container
// needs no such way.
Result<UniqueFd> clone_source(const plan::MountStep& step, int root, const MountContext& context) {
  const bool follow = !step.options.source_nofollow;
  if (!context.user_namespace || step.source_inside.empty()) {
    return clone_host_source(step, follow);
  }
  const auto source =
      TRY(open_in_root(root, step.source_inside, follow ? O_PATH : O_PATH | O_NOFOLLOW));
  if (context.sources->idmap_of(step) >= 0) {
    return context.sources->ask_for_mapped(step, source.get());
  }
  return clone_mount(source.get(), "", step.options.recursive_bind);
}

// Its own, when the parent has not opened it: then the step's.
Result<UniqueFd> open_source(const plan::MountStep& step, int root, const MountContext& context) {
  if (context.sources->mount_of(step) >= 0) return UniqueFd();
  auto cloned = TRY_CONTEXT(clone_source(step, root, context), "source");
  const bool mapped = context.user_namespace && !step.source_inside.empty();
  const int mapping = context.sources->idmap_of(step);
  if (mapping >= 0 && !mapped) TRY(apply_idmap(step, mapping, cloned.get()));
  return cloned;
}

Result<void> bind_mount(const plan::MountStep& step, Places& places, const MountContext& context) {
  if (step.options.copy_symlink && TRY(copy_symlink(step, places.root()))) return {};
  auto cloned = TRY(open_source(step, places.root(), context));
  const int mount = cloned.valid() ? cloned.get() : context.sources->mount_of(step);
  TRY(set_bind_flags(mount, step, context));
  TRY(attach(mount, step, places, TRY(is_directory(mount))));
  TRY(set_propagations(mount, step.options.propagation));
  places.used().add(std::move(cloned));
  return {};
}

// Sources and options as fsconfig takes them. A devpts without a mapped tty group is retried
// without it: rootless namespaces of one id have no gid 5.
Result<UniqueFd> new_filesystem(const plan::MountStep& step, bool without_gid,
                                const std::string& mode, Used& used) {
  auto context = TRY(FsContext::open(step.type));
  if (!step.source.empty()) TRY(context.set_string("source", step.source));
  for (const auto& flag : step.options.super_flags) TRY(context.set_flag(flag));
  for (const auto& [key, value] : step.options.data) {
    if (without_gid && key == "gid") continue;
    TRY(value.empty() ? context.set_flag(key) : context.set_string(key, value));
  }
  if (!mode.empty()) TRY(context.set_string("mode", mode));
  TRY(context.create());
  std::uint64_t attributes = step.options.attributes.set;
  // Written to after it is mounted; finish_readonly_mounts closes it.
  if (step.type == "tmpfs") attributes &= ~std::uint64_t{MOUNT_ATTR_RDONLY};
  auto mount = TRY(context.mount(attributes));
  used.add(context.release());
  return mount;
}

bool is_refused(const Error& error) {
  return error.errno_value == EPERM || error.errno_value == EBUSY || error.errno_value == EACCES;
}

// proc and sysfs cannot be mounted anew where the host's are partly covered, or without a network
// namespace of the own user namespace: the host's are bound instead, never with more rights.
Result<UniqueFd> host_instance(const plan::MountStep& step) {
  const char* source = step.type == "proc" ? "/proc" : "/sys";
  auto mount = TRY(clone_mount(AT_FDCWD, source, true));
  MountAttributes attributes;
  attributes.set = step.options.attributes.set;
  if (attributes.set != 0) TRY(set_mount_attributes(mount.get(), attributes, true));
  return mount;
}

Result<UniqueFd> make_filesystem(const plan::MountStep& step, const MountContext& context,
                                 const std::string& mode, Used& used) {
  auto made = new_filesystem(step, false, mode, used);
  if (made.ok()) return made;
  if (step.type == "devpts" && made.error().errno_value == EINVAL && context.user_namespace) {
    return new_filesystem(step, true, mode, used);
  }
  if ((step.type == "proc" || step.type == "sysfs") && context.user_namespace &&
      is_refused(made.error())) {
    return host_instance(step);
  }
  return made;
}

// A tmpfs without a mode of its own has that of the directory it covers; "" where there is none.
Result<std::string> inherited_mode(const plan::MountStep& step, int root) {
  if (step.type != "tmpfs") return std::string();
  for (const auto& [key, value] : step.options.data) {
    if (key == "mode") return std::string();
  }
  const auto covered = open_in_root(root, step.destination, O_PATH | O_DIRECTORY);
  if (!covered.ok()) return std::string();  // whoever mounts there says why
  struct stat status {};
  if (::fstat(covered->get(), &status) != 0) return system_error("stat " + step.destination);
  char text[8];
  ::snprintf(text, sizeof text, "%04o", status.st_mode & 07777U);
  return std::string(text);
}

// True when one mount(2) did it all. It does not where something has to be done to the mount before
// or after, and not where it fails: new_mount then says why, or knows another way.
bool mount_at_once(const plan::MountStep& step, const std::string& mode, Places& places) {
  const auto& options = step.options;
  if (options.copy_up || options.destination_nofollow || !is_empty(options.recursive) ||
      !options.propagation.empty() || !options.super_flags.empty()) {
    return false;
  }
  std::string data = mode.empty() ? mode : "mode=" + mode;
  for (const auto& [key, value] : options.data) {
    if (key.find(',') != std::string::npos || value.find(',') != std::string::npos) return false;
    if (!data.empty()) data += ',';
    data += key;
    if (!value.empty()) data.append("=").append(value);
  }
  const bool tmpfs = step.type == "tmpfs";
  std::uint64_t attributes = options.attributes.set;
  // Written to after it is mounted; finish_readonly_mounts closes it.
  if (tmpfs) attributes &= ~std::uint64_t{MOUNT_ATTR_RDONLY};
  // mount(2) would make the whole file system read-only, not this mount.
  if ((attributes & MOUNT_ATTR_RDONLY) != 0) return false;
  const auto place = places.mount_point(step.destination);
  if (!place.ok() || !mount_new(step.type, step.source, *place, attributes, data).ok()) {
    return false;
  }
  places.mounted(step.destination, tmpfs);
  return true;
}

Result<void> new_mount(const plan::MountStep& step, const std::string& mode, Places& places,
                       const MountContext& context) {
  auto mount = TRY(make_filesystem(step, context, mode, places.used()));
  UniqueFd covered;
  if (step.options.copy_up) {
    auto below = open_in_root(places.root(), step.destination, O_RDONLY | O_DIRECTORY);
    if (below.ok()) covered = below.release_value();
  }
  TRY(attach(mount.get(), step, places, true));
  if (covered.valid()) TRY_CONTEXT(copy_tree(covered.get(), mount.get()), "tmpcopyup");
  if (!is_empty(step.options.recursive)) {
    TRY(set_mount_attributes(mount.get(), step.options.recursive, true));
  }
  TRY(set_propagations(mount.get(), step.options.propagation));
  places.used().add(std::move(mount));
  return {};
}

// What is mounted, or lies, at the destination.
Result<UniqueFd> open_destination(const plan::MountStep& step, int root) {
  return open_in_root(root, step.destination,
                      step.options.destination_nofollow ? O_PATH | O_NOFOLLOW : O_PATH);
}

Result<void> remount(const plan::MountStep& step, int root) {
  const auto mount = TRY(open_destination(step, root));
  if (!step.options.bind) {
    auto context = TRY(FsContext::pick(mount.get()));
    for (const auto& flag : step.options.super_flags) TRY(context.set_flag(flag));
    if (step.options.readonly) TRY(context.set_flag("ro"));
    for (const auto& [key, value] : step.options.data) {
      TRY(value.empty() ? context.set_flag(key) : context.set_string(key, value));
    }
    TRY(context.reconfigure());
  }
  TRY(set_attributes(mount.get(), step.options));
  return set_propagations(mount.get(), step.options.propagation);
}

bool is_cgroup(const plan::MountStep& step) {
  return !step.options.bind && (step.type == "cgroup" || step.type == "cgroup2");
}

}  // namespace

Result<void> attach_at(int mount, Places& places, const std::string& path, bool directory) {
  const int root = places.root();
  if (directory || path == "/proc" || path == "/sys") {
    TRY(places.attach(mount, path, directory));
    places.mounted(path, false);
    return {};
  }
  auto place = open_in_root(root, path, O_PATH);
  if (!place.ok()) {
    if (place.error().errno_value != ENOENT) return place.release_error();
    const auto parent = TRY(open_place_in_root(root, path));
    TRY(make_mount_point(parent, false));
    place = open_at(parent.parent.get(), parent.name.c_str(), O_PATH | O_NOFOLLOW);
  }
  auto target = TRY(Places::outside_proc(std::move(place), path));
  TRY(attach_mount(mount, target.get()));
  places.used().add(std::move(target));
  return {};
}

Result<void> apply_mount(const plan::MountStep& step, Places& places, const MountContext& context) {
  if (step.options.remount) return remount(step, places.root());
  if (is_cgroup(step)) return mount_cgroups(step, places, context);
  if (step.options.bind) return bind_mount(step, places, context);
  if (step.type.empty() || step.type == "none") {
    const auto mount = TRY(open_destination(step, places.root()));
    TRY(set_attributes(mount.get(), step.options));
    return set_propagations(mount.get(), step.options.propagation);
  }
  const auto mode = TRY(inherited_mode(step, places.root()));
  if (mount_at_once(step, mode, places)) return {};
  return new_mount(step, mode, places, context);
}

Result<UniqueFd> cover_root(const plan::MountStep& step, const Places& places,
                            const MountContext& context) {
  UniqueFd mount;
  if (step.options.bind) {
    mount = TRY(open_source(step, places.root(), context));
    if (!mount) mount.reset(::fcntl(context.sources->mount_of(step), F_DUPFD_CLOEXEC, 0));
    if (!mount) return system_error("duplicate the source");
    TRY(set_bind_flags(mount.get(), step, context));
  } else {
    const auto mode = TRY(inherited_mode(step, places.root()));
    mount = TRY(make_filesystem(step, context, mode, places.used()));
    if (!is_empty(step.options.recursive)) {
      TRY(set_mount_attributes(mount.get(), step.options.recursive, true));
    }
  }
  // Else the host's mount of the root, its peer, would be covered, too; and pivot_root refuses a
  // root whose parent is shared.
  MountAttributes alone;
  alone.propagation = kMsPrivate;
  TRY(set_mount_attributes(places.root(), alone, false));
  TRY(attach_mount(mount.get(), places.root()));
  TRY(set_propagations(mount.get(), step.options.propagation));
  return mount;
}

Result<void> finish_readonly_mounts(const std::vector<plan::MountStep>& mounts, int root) {
  for (const auto& step : mounts) {
    if (step.type != "tmpfs" || step.options.bind || !step.options.readonly) continue;
    const auto mount = TRY_CONTEXT(open_in_root(root, step.destination, O_PATH), step.field);
    MountAttributes attributes;
    attributes.set = MOUNT_ATTR_RDONLY;
    TRY_CONTEXT(set_mount_attributes(mount.get(), attributes, false), step.field + ": ro");
  }
  return {};
}

Result<void> apply_idmap(const plan::MountStep& step, int user_namespace, int mount) {
  MountAttributes attributes;
  attributes.set = MOUNT_ATTR_IDMAP;
  attributes.user_namespace = user_namespace;
  auto mapped =
      set_mount_attributes(mount, attributes, step.options.idmap == plan::IdMap::kRecursive);
  if (!mapped.ok()) return mapped.release_error().with_context("idmap");
  return {};
}

}  // namespace langsbx::isolate
