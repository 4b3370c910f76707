// Making device nodes through descriptors; binding the host's where mknod is not allowed.
#include "runtime/isolate/devices.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"
#include "runtime/kernel/path.h"

namespace langsbx::isolate {
namespace {

struct Link {
  const char* name;
  const char* target;
};
constexpr Link kLinks[] = {{"fd", "/proc/self/fd"},
                           {"stdin", "/proc/self/fd/0"},
                           {"stdout", "/proc/self/fd/1"},
                           {"stderr", "/proc/self/fd/2"}};

// A directory and a name in it.
struct Place {
  int parent = -1;
  std::string name;
};

// `mount`: see HostSources.
Result<void> bind_device(const plan::DeviceStep& step, int mount, const Place& place) {
  UniqueFd cloned;
  if (mount < 0) {
    cloned = TRY(clone_mount(AT_FDCWD, step.path, false));
    mount = cloned.get();
  }
  // The host's file of that name may be anything: only the very device asked for is let in.
  struct stat status {};
  if (::fstat(mount, &status) != 0) return system_error("fstat");
  if ((status.st_mode & S_IFMT) != (step.mode & S_IFMT) || status.st_rdev != step.number) {
    return make_error(ErrorKind::kInvalidInput,
                      "the host's " + step.path + " is another device than the one asked for");
  }
  MountAttributes attributes;
  attributes.set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
  TRY(set_mount_attributes(mount, attributes, false));
  auto made = open_at(place.parent, place.name.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (!made.ok() && made.error().errno_value != EEXIST) return made.release_error();
  const auto target = TRY(open_at(place.parent, place.name.c_str(), O_PATH | O_NOFOLLOW));
  return attach_mount(mount, target.get());
}

// A node that is there already must be the very device that is asked for.
Result<void> check_existing(const plan::DeviceStep& step, const Place& place) {
  struct stat status {};
  if (::fstatat(place.parent, place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return system_error("stat " + step.path);
  }
  if ((status.st_mode & S_IFMT) != (step.mode & S_IFMT) ||
      (!S_ISFIFO(status.st_mode) && status.st_rdev != step.number)) {
    return make_error(ErrorKind::kInvalidInput,
                      "device " + step.path + ": another file is there already");
  }
  return {};
}

Result<void> make_device_at(const plan::DeviceStep& step, int source, const Place& place,
                            bool bind_only) {
  if (bind_only && !S_ISFIFO(step.mode)) return bind_device(step, source, place);
  const char* name = place.name.c_str();
  if (::mknodat(place.parent, name, step.mode, step.number) != 0) {
    if (errno == EPERM) return bind_device(step, source, place);
    if (errno != EEXIST) return system_error("mknod");
    // Whoever made it owns it: below a bound /dev it is the host's own node.
    return check_existing(step, place);
  }
  if ((step.uid != 0 || step.gid != 0) &&
      ::fchownat(place.parent, name, step.uid, step.gid, AT_SYMLINK_NOFOLLOW) != 0) {
    return system_error("chown");
  }
  return {};
}

Result<void> make_device(const plan::DeviceStep& step, int source, Places& places, bool bind_only) {
  if (auto found = places.in_fresh(step.path); found.parent >= 0) {
    return make_device_at(step, source, {found.parent, std::move(found.name)}, bind_only);
  }
  auto place = TRY(open_parent_in_root(places.root(), step.path));
  return make_device_at(step, source, {place.parent.get(), std::move(place.name)}, bind_only);
}

Result<void> make_link(int directory, const char* target, const char* name) {
  if (::symlinkat(target, directory, name) != 0 && errno != EEXIST) {
    return system_error(std::string("symlink /dev/") + name);
  }
  return {};
}

Result<void> make_links(int dev) {
  for (const auto& link : kLinks) TRY(make_link(dev, link.target, link.name));
  if (::access("/proc/kcore", F_OK) == 0) TRY(make_link(dev, "/proc/kcore", "core"));
  if (::symlinkat("pts/ptmx", dev, "ptmx") == 0) return {};
  if (errno != EEXIST) return system_error("symlink /dev/ptmx");
  // An image's own ptmx node would be the host's multiplexer.
  if (::unlinkat(dev, "ptmx", 0) != 0 && errno != ENOENT) return system_error("unlink /dev/ptmx");
  return make_link(dev, "pts/ptmx", "ptmx");
}

}  // namespace

Result<void> make_devices(const plan::RootfsPlan& plan, const HostSources& sources, Places& places,
                          bool bind_only) {
  if (!plan.own_dev) {
    // The host's /dev is bound here: what config.json lists is there, or made like anywhere else.
    for (const auto& step : plan.devices) {
      TRY_CONTEXT(make_device(step, sources.device_of(step), places, bind_only),
                  "device " + step.path);
    }
    return {};
  }
  // /dev must be a directory of this root: as a symlink it would put nodes where it points
  // (CVE-2026-41579).
  int dev = places.fresh("/dev");
  UniqueFd opened;
  if (dev < 0) {
    opened = TRY(places.real_directory("/dev"));
    dev = opened.get();
  }
  for (const auto& step : plan.devices) {
    TRY_CONTEXT(make_device(step, sources.device_of(step), places, bind_only),
                "device " + step.path);
  }
  TRY(make_links(dev));
  places.used().add(std::move(opened));
  return {};
}

}  // namespace langsbx::isolate
