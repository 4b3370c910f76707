// Opening them, and finding the one of a step.
#include "runtime/isolate/host_sources.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <utility>

#include "runtime/isolate/late_sources.h"
#include "runtime/isolate/mounts.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"
#include "runtime/kernel/process.h"

namespace langsbx::isolate {
namespace {

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

template <typename Step>
std::size_t place_of(const Step& step, const std::vector<Step>& steps) {
  return static_cast<std::size_t>(&step - steps.data());
}

}  // namespace

Result<void> HostSources::open_mount(const plan::MountStep& step,
                                     const plan::NamespacePlan& namespaces, bool user_namespace,
                                     OfMount& opened) const {
  const bool mapped = step.options.idmap != plan::IdMap::kNone;
  if (mapped) {
    opened.idmap_namespace = TRY_CONTEXT(open_mapping_namespace(step, namespaces), step.field);
  }
  if (waits_for_mounts(step, place_of(step, plan_->mounts))) return {};
  if (!step.options.bind || step.options.remount || !(user_namespace || mapped)) return {};
  auto source =
      clone_host_source(step, !step.options.source_nofollow && !step.options.copy_symlink);
  if (!source.ok()) {
    // Without rights on the host the child's own view is the only one there is.
    if (source.error().errno_value == EPERM && !mapped) return {};
    return source.release_error().with_context(step.field + ".source");
  }
  opened.source = source.release_value();
  if (!mapped) return {};
  TRY_CONTEXT(apply_idmap(step, opened.idmap_namespace.get(), opened.source.get()), step.field);
  return {};
}

Result<void> HostSources::offer_late() {
  std::vector<int> idmaps;
  bool late = false;
  for (const auto& step : plan_->mounts) {
    idmaps.push_back(idmap_of(step));
    late = late || (idmaps.back() >= 0 && waits_for_mounts(step, place_of(step, plan_->mounts)));
  }
  if (!late) return {};
  auto offered = TRY(offer_late_sources(*plan_, idmaps));
  asks_ = std::move(offered.asks);
  mapper_ = std::move(offered.helper);
  return {};
}

Result<HostSources> HostSources::open(const plan::RootfsPlan& plan,
                                      const plan::NamespacePlan& namespaces, int scratch) {
  const bool user_namespace = namespaces.new_user || namespaces.join_user;
  HostSources sources(plan);
  for (const auto& step : plan.mounts) {
    OfMount opened;
    TRY(sources.open_mount(step, namespaces, user_namespace, opened));
    if (!opened.source.valid() && !opened.idmap_namespace.valid()) continue;
    sources.mounts_.resize(plan.mounts.size());
    sources.mounts_[place_of(step, plan.mounts)] = std::move(opened);
  }
  if (!user_namespace) return sources;
  TRY(sources.offer_late());
  sources.devices_.resize(plan.devices.size());
  for (const auto& device : plan.devices) {
    if (S_ISFIFO(device.mode)) continue;
    auto opened = open_device(device, scratch);
    if (opened.ok()) sources.devices_[place_of(device, plan.devices)] = opened.release_value();
  }
  return sources;
}

int HostSources::mount_of(const plan::MountStep& step) const {
  return mounts_.empty() ? -1 : mounts_[place_of(step, plan_->mounts)].source.get();
}

int HostSources::idmap_of(const plan::MountStep& step) const {
  return mounts_.empty() ? -1 : mounts_[place_of(step, plan_->mounts)].idmap_namespace.get();
}

int HostSources::device_of(const plan::DeviceStep& step) const {
  return devices_.empty() ? -1 : devices_[place_of(step, plan_->devices)].get();
}

Result<UniqueFd> HostSources::ask_for_mapped(const plan::MountStep& step, int source) const {
  return ask_for_late_source(asks_.get(), place_of(step, plan_->mounts), source);
}

void HostSources::close() {
  std::vector<UniqueFd> files;
  if (asks_.valid()) files.push_back(std::move(asks_));
  for (auto& mount : mounts_) {
    if (mount.source.valid()) files.push_back(std::move(mount.source));
    if (mount.idmap_namespace.valid()) files.push_back(std::move(mount.idmap_namespace));
  }
  for (auto& device : devices_) {
    if (device.valid()) files.push_back(std::move(device));
  }
  mounts_.clear();
  devices_.clear();
  close_together(files);
}

}  // namespace langsbx::isolate
