// cgroup2 as one mount; v1 as a tmpfs with a mount for each hierarchy.
#include "runtime/isolate/cgroup_mounts.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/base/text.h"
#include "runtime/isolate/mounts.h"
#include "runtime/kernel/path.h"

namespace langsbx::isolate {
namespace {

bool has_cgroup_namespace(const MountContext& context) {
  return context.namespaces->has(oci::NamespaceType::kCgroup);
}

// The container's own directory in the hierarchy mounted at `mount_point`; empty when it has none.
std::string own_directory(const MountContext& context, const std::string& mount_point) {
  if (context.cgroup == nullptr) return "";
  for (const auto& placement : context.cgroup->placements) {
    if (placement.mount_point == mount_point) return placement.directory;
  }
  return "";
}

Result<UniqueFd> bind_source(const std::string& source, const plan::MountStep& step,
                             bool force_readonly) {
  auto mount = TRY(clone_mount(AT_FDCWD, source, true));
  MountAttributes attributes = step.options.attributes;
  if (force_readonly) attributes.set |= MOUNT_ATTR_RDONLY;
  TRY(set_mount_attributes(mount.get(), attributes, false));
  return mount;
}

Result<UniqueFd> made_mount(FsContext& filesystem, std::uint64_t attributes, Used& used) {
  auto mount = filesystem.mount(attributes);
  used.add(filesystem.release());
  return mount;
}

Result<UniqueFd> unified_mount(const plan::MountStep& step, const MountContext& context,
                               Used& used) {
  const std::string& mount_point = context.cgroup_host->unified.mount_point;
  const std::string own = own_directory(context, mount_point);
  auto filesystem = TRY(FsContext::open("cgroup2"));
  auto created = filesystem.create();
  if (created.ok()) return made_mount(filesystem, step.options.attributes.set, used);
  const int reason = created.error().errno_value;
  if (reason != EPERM && reason != EBUSY) return created.release_error();
  // In a user namespace without a cgroup namespace of it. Rootless, the whole tree would be
  // writable through the bind: read-only then (CVE-2023-25809).
  const bool whole_tree = !has_cgroup_namespace(context) || own.empty();
  return bind_source(whole_tree ? mount_point : own, step, whole_tree && context.rootless);
}

Result<UniqueFd> hierarchy_mount(const cgroup::Hierarchy& hierarchy, const plan::MountStep& step,
                                 const MountContext& context, Used& used) {
  const std::string own = own_directory(context, hierarchy.mount_point);
  if (!has_cgroup_namespace(context)) {
    return bind_source(own.empty() ? hierarchy.mount_point : own, step, own.empty());
  }
  auto filesystem = TRY(FsContext::open("cgroup"));
  for (const auto& controller : hierarchy.controllers) {
    if (controller.starts_with("name=")) {
      TRY(filesystem.set_flag("none"));
      TRY(filesystem.set_string("name", controller.substr(5)));
    } else {
      TRY(filesystem.set_flag(controller));
    }
  }
  auto created = filesystem.create();
  if (created.ok()) return made_mount(filesystem, step.options.attributes.set, used);
  if (own.empty()) return created.release_error();
  return bind_source(own, step, false);
}

// cpu -> cpu,cpuacct
Result<void> link_members(const cgroup::Hierarchy& hierarchy, const std::string& name, int tmpfs) {
  if (hierarchy.controllers.size() < 2) return {};
  for (const auto& controller : hierarchy.controllers) {
    if (controller == name) continue;
    if (::symlinkat(name.c_str(), tmpfs, controller.c_str()) != 0 && errno != EEXIST) {
      return system_error("symlink " + controller);
    }
  }
  return {};
}

Result<void> mount_legacy(const plan::MountStep& step, Places& places,
                          const MountContext& context) {
  auto filesystem = TRY(FsContext::open("tmpfs"));
  TRY(filesystem.set_string("mode", "755"));
  TRY(filesystem.create());
  auto& used = places.used();
  auto tmpfs = TRY(made_mount(
      filesystem, step.options.attributes.set & ~std::uint64_t{MOUNT_ATTR_RDONLY}, used));
  TRY(attach_at(tmpfs.get(), places, step.destination, true));
  Places inside(tmpfs.get(), places.hidden(), false, used);
  inside.mounted("", true);
  for (const auto& hierarchy : context.cgroup_host->hierarchies) {
    const std::string name(base_name(hierarchy.mount_point));
    auto mount = TRY_CONTEXT(hierarchy_mount(hierarchy, step, context, used), name);
    TRY_CONTEXT(attach_at(mount.get(), inside, "/" + name, true), name);
    used.add(std::move(mount));
    TRY(link_members(hierarchy, name, tmpfs.get()));
  }
  const auto& unified = context.cgroup_host->unified;
  if (!unified.mount_point.empty()) {
    auto mount = TRY(unified_mount(step, context, used));
    TRY(attach_at(mount.get(), inside, "/" + std::string(base_name(unified.mount_point)), true));
    used.add(std::move(mount));
  }
  if (step.options.readonly) {
    MountAttributes attributes;
    attributes.set = MOUNT_ATTR_RDONLY;
    TRY(set_mount_attributes(tmpfs.get(), attributes, false));
  }
  used.add(std::move(tmpfs));
  return {};
}

}  // namespace

Result<void> mount_cgroups(const plan::MountStep& step, Places& places,
                           const MountContext& context) {
  if (context.cgroup_host->mode == cgroup::Mode::kNone) {
    return make_error(ErrorKind::kUnsupported, "this host has no cgroup hierarchy mounted");
  }
  if (context.cgroup_host->mode != cgroup::Mode::kV2 && step.type == "cgroup") {
    return mount_legacy(step, places, context);
  }
  auto mount = TRY(unified_mount(step, context, places.used()));
  TRY(attach_at(mount.get(), places, step.destination, true));
  places.used().add(std::move(mount));
  return {};
}

}  // namespace langsbx::isolate
