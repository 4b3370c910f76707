// root, mounts and paths of config.json -> RootfsPlan.
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string_view>
#include <unordered_set>

#include "runtime/base/text_list.h"
#include "runtime/plan/devices.h"
#include "runtime/plan/idmap_option.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::plan {
namespace {

// Files below /proc that engines replace with their own views (lxcfs); everything else there must
// stay the kernel's, since the runtime and the program trust it.
constexpr auto kReplaceableProcFiles =
    text_list("/proc/cpuinfo", "/proc/diskstats", "/proc/meminfo", "/proc/stat", "/proc/swaps",
              "/proc/uptime", "/proc/loadavg", "/proc/slabinfo", "/proc/net/dev",
              "/proc/sys/kernel/ns_last_pid", "/proc/sys/crypto/fips_enabled");

Result<std::uint64_t> propagation_flag(const std::string& name) {
  if (name.empty()) return std::uint64_t{0};
  struct Entry {
    std::string_view name;
    std::uint64_t flag;
  };
  static constexpr Entry kEntries[] = {
      {"shared", MS_SHARED},         {"rshared", MS_SHARED | MS_REC},
      {"slave", MS_SLAVE},           {"rslave", MS_SLAVE | MS_REC},
      {"private", MS_PRIVATE},       {"rprivate", MS_PRIVATE | MS_REC},
      {"unbindable", MS_UNBINDABLE}, {"runbindable", MS_UNBINDABLE | MS_REC}};
  for (const auto& entry : kEntries) {
    if (entry.name == name) return entry.flag;
  }
  return make_error(ErrorKind::kInvalidInput,
                    "linux.rootfsPropagation: unknown value \"" + name + "\"");
}

// The path as the kernel resolves it. Symlinks in the way to the root file system are the caller's
// own (config.json is trusted), what is inside it is not.
// A frame of its own for the buffer: it is rarely needed.
[[gnu::noinline]] Result<std::string> resolve_links(const std::string& joined) {
  char resolved[PATH_MAX];
  if (::realpath(joined.c_str(), resolved) == nullptr) {
    return system_error("root.path: " + joined);
  }
  struct stat status {};
  if (::stat(resolved, &status) != 0) return system_error("root.path: stat " + joined);
  if (!S_ISDIR(status.st_mode)) {
    return make_error(ErrorKind::kInvalidInput, "root.path: " + joined + " is not a directory");
  }
  return std::string(resolved);
}

Result<std::string> resolve_rootfs(const std::string& bundle, const std::string& path) {
  std::string joined = path.starts_with('/') ? path : bundle + "/" + path;
  // As a rule a directory in the bundle, whose own path is resolved already.
  const bool is_name = path.find('/') == std::string::npos && path != "." && path != "..";
  struct stat own {};
  if (is_name && ::lstat(joined.c_str(), &own) == 0 && S_ISDIR(own.st_mode)) return joined;
  return resolve_links(joined);
}

Result<void> check_proc(const MountStep& step) {
  if (!step.destination.starts_with("/proc/")) return {};
  if (kReplaceableProcFiles.contains(step.destination)) return {};
  // A filesystem of its own under /proc (binfmt_misc) stays the kernel's.
  if (!step.options.bind && step.type != "tmpfs") return {};
  if (step.options.bind && step.source.starts_with("/proc/")) return {};
  return make_error(ErrorKind::kInvalidInput,
                    step.field + ".destination: \"" + step.destination +
                        "\" cannot be mounted because it is inside /proc");
}

Result<void> check_nofollow(const MountStep& step) {
  const bool cgroups = step.type == "cgroup" || step.type == "cgroup2";
  if (!step.options.destination_nofollow || step.options.bind || !cgroups) return {};
  return make_error(ErrorKind::kUnsupported,
                    step.field + ".options: dest-nofollow is not for cgroup mounts");
}

Result<void> plan_idmap(MountStep& step, const oci::Mount& mount, const NamespacePlan& namespaces) {
  const bool mapped = !mount.uid_mappings.empty() || !mount.gid_mappings.empty();
  if (step.options.idmap == IdMap::kNone && !mapped) return {};
  if (step.options.idmap == IdMap::kNone) step.options.idmap = IdMap::kSingle;
  if (!step.options.bind) {
    return make_error(ErrorKind::kInvalidInput, step.field + ": idmap needs a bind mount");
  }
  const auto option = TRY(parse_idmap_option(step.options.idmap_ranges, namespaces.uid_map,
                                             namespaces.gid_map, step.field));
  const bool ranges = !option.uids.empty() || !option.gids.empty();
  step.uid_map = mapped ? mount.uid_mappings : ranges ? option.uids : namespaces.uid_map;
  step.gid_map = mapped ? mount.gid_mappings : ranges ? option.gids : namespaces.gid_map;
  const bool of_joined =
      namespaces.join_user && !mapped && !ranges && step.uid_map.empty() && step.gid_map.empty();
  if (!of_joined && (step.uid_map.empty() || step.gid_map.empty())) {
    return make_error(ErrorKind::kInvalidInput,
                      step.field +
                          ": idmap needs uidMappings and gidMappings, or those of a user "
                          "namespace");
  }
  return {};
}

// As runc: callers may name the place as the host sees it. crun takes it as it stands.
std::string inside_root(std::string destination, const std::string& root, bool acts_as_crun) {
  if (acts_as_crun || !destination.starts_with(root)) return destination;
  if (destination.size() == root.size()) return "/";
  return destination[root.size()] == '/' ? destination.substr(root.size()) : destination;
}

// As runc refuses it since 1.4: root.path says what the root is. With crun it becomes the root.
Result<void> check_destination(const MountStep& step, bool acts_as_crun) {
  if (!step.covers_root()) return {};
  const bool group = !step.options.bind && step.type.starts_with("cgroup");
  if (acts_as_crun && !step.options.copy_up && !group) return {};
  return make_error(ErrorKind::kInvalidInput,
                    step.field + ".destination: \"/\" is the root file system itself (root.path)");
}

Result<MountStep> plan_mount(const oci::Mount& mount, std::size_t index, const PlanInputs& inputs,
                             const std::string& root, const NamespacePlan& namespaces) {
  MountStep step;
  step.field = "mounts[" + std::to_string(index) + "]";
  step.destination = inside_root(clean_path(mount.destination), root, inputs.acts_as_crun);
  step.type = mount.type;
  step.source = mount.source;
  step.options = TRY(parse_mount_options(mount.options, step.field));
  if (step.options.bind) {
    if (mount.source.empty() && !step.options.remount) {
      return make_error(ErrorKind::kInvalidInput, step.field + ".source: a bind mount needs one");
    }
    if (!mount.source.starts_with('/')) step.source = inputs.bundle + "/" + mount.source;
    if (step.source.starts_with(root + "/")) step.source_inside = step.source.substr(root.size());
  } else if (step.type.empty() && !step.options.remount && step.options.propagation.empty()) {
    return make_error(ErrorKind::kInvalidInput, step.field + ".type: missing");
  }
  TRY(check_destination(step, inputs.acts_as_crun));
  TRY(check_proc(step));
  TRY(check_nofollow(step));
  TRY(plan_idmap(step, mount, namespaces));
  return step;
}

// As runc and crun: what is not absolute is meant from the container's root.
std::string below_root(const std::string& path) {
  return path.starts_with('/') ? path : "/" + path;
}

bool mounts_cover_dev(const std::vector<MountStep>& mounts) {
  return std::any_of(mounts.begin(), mounts.end(), [](const MountStep& step) {
    return step.destination == "/dev" && step.options.bind;
  });
}

}  // namespace

std::string clean_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const auto part = path.substr(0, slash);
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  std::string result;
  for (const auto part : parts) result.append("/").append(part);
  return result.empty() ? "/" : result;
}

Result<RootfsPlan> plan_rootfs(const oci::Spec& spec, const PlanInputs& inputs,
                               const NamespacePlan& namespaces) {
  if (!spec.root) return make_error(ErrorKind::kInvalidInput, "root: missing");
  RootfsPlan plan;
  plan.path = TRY(resolve_rootfs(inputs.bundle, spec.root->path));
  plan.readonly = spec.root->readonly;
  plan.no_pivot = inputs.no_pivot;
  plan.mounts.reserve(spec.mounts.size());
  for (std::size_t i = 0; i < spec.mounts.size(); ++i) {
    plan.mounts.push_back(TRY(plan_mount(spec.mounts[i], i, inputs, plan.path, namespaces)));
  }
  plan.own_dev = !mounts_cover_dev(plan.mounts);
  plan.hostname = spec.hostname;
  plan.domainname = spec.domainname;
  if ((!plan.hostname.empty() || !plan.domainname.empty()) &&
      !namespaces.has(oci::NamespaceType::kUts)) {
    return make_error(ErrorKind::kInvalidInput,
                      std::string(plan.hostname.empty() ? "domainname" : "hostname") +
                          ": unable to set it without a uts namespace in linux.namespaces");
  }
  if (spec.linux_) {
    plan.propagation = TRY(propagation_flag(spec.linux_->rootfs_propagation));
    // One mount each, however often a path is named.
    std::unordered_set<std::string_view> masked;
    for (const auto& path : spec.linux_->masked_paths) {
      if (masked.insert(path).second) plan.masked_paths.push_back(below_root(path));
    }
    plan.readonly_paths.reserve(spec.linux_->readonly_paths.size());
    for (const auto& path : spec.linux_->readonly_paths) {
      plan.readonly_paths.push_back(below_root(path));
    }
    plan.mount_label = spec.linux_->mount_label;
    plan.sysctl = TRY(plan_sysctl(spec.linux_->sysctl, namespaces, spec));
    plan.devices = TRY(plan_devices(spec.linux_->devices, plan.own_dev));
  } else {
    plan.devices = TRY(plan_devices({}, plan.own_dev));
  }
  plan.console_link = spec.process && spec.process->terminal;
  return plan;
}

}  // namespace langsbx::plan
